# The libraries that askfew::samplers needs. The build and the installed package both read this file.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
