# Chartpipe in a container: built in one stage, and run in another that holds runtime libraries only.
#
# The versions of what can change a byte of a chart or a database are held: another GDAL, PROJ, SQLite, libpng, libwebp or
# libdeflate would make other files of the same sources. Debian's own corrections to them come in (the star).
# scripts/prove-dockerfile does these steps where there is no container engine.

FROM swift:6.3.1-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
      make pkg-config zlib1g-dev libssl-dev libcurl4-openssl-dev sqlite3 \
      libgdal-dev=3.6.2* libproj-dev=9.1.1* libsqlite3-dev=3.40.1* libpng-dev=1.6.39* libwebp-dev=1.2.4* \
      libdeflate-dev=1.14* libzip-dev=1.7.3* \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN make install DESTDIR=/out PREFIX=/usr

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends \
      ca-certificates libcurl4 libssl3 libstdc++6 libjs-leaflet \
      libgdal32=3.6.2* libproj25=9.1.1* libsqlite3-0=3.40.1* libpng16-16=1.6.39* libwebp7=1.2.4* \
      libdeflate0=1.14* libzip4=1.7.3* \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --create-home chartpipe && install -d -o chartpipe -g chartpipe /data
COPY --from=build /out/usr /usr
# Also for a user who has no home here (docker run --user): what was fetched is kept beside the work.
ENV XDG_CACHE_HOME=/data/cache
USER chartpipe
WORKDIR /data
HEALTHCHECK --interval=1h --timeout=30s CMD ["chartpipe", "doctor", "--quiet"]
ENTRYPOINT ["chartpipe"]
CMD ["--help"]
