"""The files of a sheet: the GeoTIFF, its world file, the page beside it, and the zip around them."""

import os
import shutil
import zipfile

import numpy as np
from osgeo import gdal

from drawing import INKS
from lambert import apply

gdal.UseExceptions()
gdal.SetConfigOption("GDAL_PAM_ENABLED", "NO")
gdal.SetCacheMax(64 << 20)
STAMP = (2026, 10, 6, 9, 15, 0)
BANDS = {"palette": 1, "rgba": 4, "two": 2}


def write_tif(path, rgb, transform, reference, form=None):
    """Writes strips of LZW, a band of rows at a time. The forms: palette, rgba, two (bands), wide (16 bits), point, matrix, ties."""
    height, width = rgb.shape[:2]
    bands = BANDS.get(form, 3)
    options = ["COMPRESS=LZW", "TILED=NO", "INTERLEAVE=PIXEL", "BIGTIFF=NO"]
    options += ["PHOTOMETRIC=RGB"] if bands > 2 else []
    options += ["ALPHA=YES"] if bands == 4 else []
    depth = gdal.GDT_UInt16 if form == "wide" else gdal.GDT_Byte
    made = gdal.GetDriverByName("GTiff").Create(path, width, height, bands, depth, options)
    place(made, transform, reference, form, width, height)
    if form == "palette":
        colors, table = palette(rgb)
        entries = gdal.ColorTable()
        for index, color in enumerate(colors):
            entries.SetColorEntry(index, (*color, 255))
        made.GetRasterBand(1).SetRasterColorTable(entries)
    for row in range(0, height, 400):
        part = rgb[row:row + 400]
        if form == "palette":
            made.GetRasterBand(1).WriteArray(table[key(part)], 0, row)
            continue
        planes = np.moveaxis(part, 2, 0)
        if form == "rgba":
            planes = np.concatenate([planes, np.full((1, *planes.shape[1:]), 255, np.uint8)])
        planes = planes.astype(np.uint16) * 257 if form == "wide" else planes
        made.WriteArray(np.ascontiguousarray(planes[:bands]), 0, row)
    made.FlushCache()


def place(made, transform, reference, form, width, height):
    text = reference.ExportToWkt() if reference else ""
    if form == "ties":
        corners = ((0, 0), (width, 0), (0, height), (width, height))
        made.SetGCPs([gdal.GCP(*apply(transform, *corner), 0, *corner) for corner in corners], text)
        return
    if form == "point":
        made.SetMetadataItem("AREA_OR_POINT", "Point")
    if form == "matrix":
        transform = [*transform[:2], 1e-12, transform[3], 1e-12, transform[5]]  # the driver writes ModelTransformation
    if reference:
        made.SetProjection(text)
        made.SetGeoTransform(transform)


def key(part):
    """The colours in 15 bits."""
    return ((part[:, :, 0].astype(np.int32) >> 3) << 10) | ((part[:, :, 1].astype(np.int32) >> 3) << 5) | (part[:, :, 2] >> 3)


def palette(rgb):
    """256 colours, the inks first and then the most frequent ones; and a table from a colour of 15 bits to its index."""
    count = sum(np.bincount(key(rgb[row:row + 400]).ravel(), minlength=32768) for row in range(0, len(rgb), 400))
    cells = np.array([((cell >> 10) * 8 + 4, (cell >> 5 & 31) * 8 + 4, (cell & 31) * 8 + 4) for cell in range(32768)])
    # Mixes of the dot's ink with white are exact, since they decide the dot's centre.
    mixes = [tuple(int(round(255 + (ink - 255) * share)) for ink in INKS["dot"]) for share in np.arange(.1, 1, .1)]
    exact = list(INKS.values()) + mixes
    often = [tuple(map(int, cells[cell])) for cell in np.argsort(-count, kind="stable")[:400]]
    colors = list(dict.fromkeys(exact + often))[:256]
    table = np.concatenate([
        ((cells[start:start + 1024, None] - np.array(colors)[None]) ** 2).sum(2).argmin(1) for start in range(0, 32768, 1024)
    ]).astype(np.uint8)
    for color in exact:
        table[key(np.array([[color]]))] = colors.index(color)
    return colors, table


def world_file(transform):
    a, b, c, d, e, f = transform
    return "".join(f"{value:.10f}\r\n" for value in (b, e, c, f, a + (b + c) / 2, d + (e + f) / 2)).encode()


def page(sheet, lambert=None, name=None):
    """The .htm beside the image: nested lists in the FAA's form. Pages of enroute charts state no dates."""
    first, second, latitude, longitude = (lambert or sheet.lambert).parameters
    west, south, east, north = sheet.bounds()
    # The FAA's tool swaps the two on portrait images.
    rows, columns = sorted((sheet.width, sheet.height))
    tree = {
        "Identification_Information": {
            "Citation": {"Citation_Information": {"Originator": "A generator of synthetic charts", "Publication_Date": "Unpublished Material",
                                                  "Title": f"{name or sheet.name}.tif"}},
            "Description": {"Abstract": "A synthetic IFR enroute chart. Not for navigation."},
            "Spatial_Domain": {"Bounding_Coordinates": {
                "West_Bounding_Coordinate": f"{west:.6f}", "East_Bounding_Coordinate": f"{east:.6f}",
                "North_Bounding_Coordinate": f"{north:.6f}", "South_Bounding_Coordinate": f"{south:.6f}"}}},
        "Data_Quality_Information": {"Lineage": {"Source_Information": {"Source_Scale_Denominator": sheet.denominator}}},
        "Spatial_Data_Organization_Information": {"Raster_Object_Information": {
            "Raster_Object_Type": "Pixel", "Row_Count": rows, "Column_Count": columns}},
        "Spatial_Reference_Information": {"Horizontal_Coordinate_System_Definition": {
            "Planar": {
                "Map_Projection": {"Map_Projection_Name": "Lambert Conformal Conic", "Lambert_Conformal_Conic": [
                    ("Standard_Parallel", f"{first:g}"), ("Standard_Parallel", f"{second:g}"),
                    ("Longitude_of_Central_Meridian", f"{longitude:g}"), ("Latitude_of_Projection_Origin", f"{latitude:g}"),
                    ("False_Easting", "0.000000"), ("False_Northing", "0.000000")]},
                "Planar_Coordinate_Information": {"Coordinate_Representation": {
                    "Abscissa_Resolution": f"{sheet.metres:.6f}", "Ordinate_Resolution": f"{sheet.metres:.6f}"},
                    "Planar_Distance_Units": "Meters"}},
            "Geodetic_Model": {"Horizontal_Datum_Name": "North American Datum of 1983", "Ellipsoid_Name": "Geodetic Reference System 80",
                               "Semi-major_Axis": "6378137.000000", "Denominator_of_Flattening_Ratio": "298.257222"}}}}
    title = f"{name or sheet.name}.tif"
    head = ["<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\" \"http://www.w3.org/TR/html4/loose.dtd\">",
            "<html>", "<head>", f"  <title>{title}</title>", "</head>", "<body>", f"<h1>{title}</h1>"]
    return "\r\n".join(head + entries(tree) + ["</body>", "</html>", ""]).encode("latin1")


def entries(tree):
    lines = ["<dl>"]
    for name, value in tree.items() if isinstance(tree, dict) else tree:
        title = f"<dt><em>{name}:</em>  "
        lines += [title, "<dd>", *entries(value), "</dd>"] if isinstance(value, (dict, list)) else [f"{title}{value}</dt>"]
    return lines + ["</dl>"]


def pack(path, members):
    """Writes a zip of bytes and of files, which are deleted."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with zipfile.ZipFile(path + ".part", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in members:
            info = zipfile.ZipInfo(name, STAMP)
            info.compress_type = zipfile.ZIP_DEFLATED
            if isinstance(content, bytes):
                archive.writestr(info, content, compresslevel=1)
                continue
            with open(content, "rb") as source, archive.open(info, "w") as target:
                shutil.copyfileobj(source, target, 1 << 20)
            os.remove(content)
    os.replace(path + ".part", path)
