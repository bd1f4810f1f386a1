# Writes a source with the bytes of files: cmake -DFILES="a;b" -DOUTPUT=x.cc -P embed.cmake
set(bytes "")
set(list "")
set(number 0)
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  string(APPEND bytes "constexpr unsigned char file_${number}[] = {${hex}0};\n")
  string(APPEND list "    {\"${name}\", {reinterpret_cast<const char*>(file_${number}), sizeof file_${number} - 1}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "#include \"apps/server/embedded.h\"\n\nnamespace askfew::server {\nnamespace {\n\n${bytes}\n"
     "const EmbeddedFile files[] = {\n${list}};\n\n}  // namespace\n\n"
     "std::span<const EmbeddedFile> embedded_files() {\n  return files;\n}\n\n}  // namespace askfew::server\n")
