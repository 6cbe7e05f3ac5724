# Toolchain file: 64-bit Arm by Debian's cross compiler, programs run by qemu. `make nightly NIGHTLY=aarch64` uses it in a
# Debian root that has the libraries of arm64.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
