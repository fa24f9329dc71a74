"""Runs one of the algorithms of GDAL's `gdal` program (3.11 and later) out of a shared library.

    gdal_algorithm.py FOLDER raster tile ARGUMENTS...

FOLDER is an unpacked rasterio wheel: it contains a recent GDAL, but not the program.
"""

import ctypes
import glob
import os
import sys

TEXT, HANDLE, NUMBER = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int


def load(folder):
    os.environ["GDAL_DATA"] = f"{folder}/rasterio/gdal_data"
    os.environ["PROJ_DATA"] = os.environ["PROJ_LIB"] = f"{folder}/rasterio/proj_data"
    gdal = ctypes.CDLL(glob.glob(f"{folder}/rasterio.libs/libgdal*")[0], mode=ctypes.RTLD_GLOBAL)

    def call(name, result, *arguments):
        function = getattr(gdal, name)
        function.restype = result
        function.argtypes = [kind for kind, _ in arguments]
        return function(*(value for _, value in arguments))

    return call


def main():
    call = load(sys.argv[1])
    words = [word.encode() for word in sys.argv[2:]]
    call("GDALAllRegister", None)
    if words == [b"--version"]:
        print(call("GDALVersionInfo", TEXT, (TEXT, b"RELEASE_NAME")).decode())
        return
    registry = call("GDALGetGlobalAlgorithmRegistry", HANDLE)
    algorithm = call("GDALAlgorithmRegistryInstantiateAlg", HANDLE, (HANDLE, registry), (TEXT, words.pop(0)))
    while words and not words[0].startswith(b"-"):
        inner = call("GDALAlgorithmInstantiateSubAlgorithm", HANDLE, (HANDLE, algorithm), (TEXT, words[0]))
        if not inner:
            break
        algorithm = inner
        words.pop(0)
    arguments = None
    for word in words:
        arguments = call("CSLAddString", HANDLE, (HANDLE, arguments), (TEXT, word))
    accepted = call(
        "GDALAlgorithmParseCommandLineArguments", ctypes.c_bool, (HANDLE, algorithm), (HANDLE, arguments))
    if not accepted or not call(
            "GDALAlgorithmRun", ctypes.c_bool, (HANDLE, algorithm), (HANDLE, None), (HANDLE, None)):
        sys.exit(call("CPLGetLastErrorMsg", TEXT).decode())


main()
