# Chartpipe in a container: one stage builds it, another one has only the runtime libraries.
#
# The versions of the libraries that can change a byte of a chart or a database are fixed: another GDAL, PROJ, SQLite, libpng,
# libwebp or libdeflate gives other files from the same sources. The star allows Debian's security updates.
# scripts/prove-dockerfile runs these steps without a container engine.

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
      ca-certificates libcurl4 libssl3 libstdc++6 \
      libgdal32=3.6.2* libproj25=9.1.1* libsqlite3-0=3.40.1* libpng16-16=1.6.39* libwebp7=1.2.4* \
      libdeflate0=1.14* libzip4=1.7.3* \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --create-home chartpipe && install -d -o chartpipe -g chartpipe /data
COPY --from=build /out/usr /usr
# The cache is in the work folder, since a user of `docker run --user` has no home here.
ENV XDG_CACHE_HOME=/data/cache
USER chartpipe
WORKDIR /data
HEALTHCHECK --interval=1h --timeout=30s CMD ["chartpipe", "doctor", "--quiet"]
ENTRYPOINT ["chartpipe"]
CMD ["--help"]
