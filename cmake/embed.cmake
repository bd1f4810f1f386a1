# Writes a source with the bytes of files: cmake -DFILES="a;b" -DOUTPUT=x.cc -P embed.cmake
set(list "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" hex "${hex}")
  string(APPEND list "    {\"${name}\", {\"${hex}\", ${size}}},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"apps/server/embedded_files.h\"\n\nnamespace askfew::server {\nnamespace {\n\n"
     "const EmbeddedFile files[] = {\n${list}};\n\n}  // namespace\n\n"
     "std::span<const EmbeddedFile> embedded_files() {\n  return files;\n}\n\n}  // namespace askfew::server\n")
