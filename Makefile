# Common tasks:
#
#   make demo       install what is missing, build, run the sample cycle, print the path of its site
#   make test       every test, after a check of the format, and the library for apps alone; installs what the tests need
#   make build      the program, optimised: .build/release/chartpipe
#   make install    the program, its definitions, its manual and completions below PREFIX (/usr/local), as root if need be
#   make bench      measure against other programs (BENCH=folder, RUNS=3); see Benchmarks/bench.py --help
#   make samples    write samples/ again; the same bytes every time
#   make docs       write the tables of docs/FORMATS.md from the schema
#   make format     format the code
#   make clean      remove builds and outputs

SWIFT ?= swift
WORK ?= work
PREFIX ?= /usr/local
DESTDIR ?=
BENCH ?= .build/bench
RUNS ?= 3
FORMATTED = Package.swift Sources Tests Benchmarks

.PHONY: demo test build installable install uninstall bench samples docs format lint clean dependencies test-dependencies

dependencies:
	@scripts/install-dependencies

test-dependencies:
	@scripts/install-test-dependencies

build: dependencies
	$(SWIFT) build -c release --product chartpipe

# Links the Swift libraries statically, so the machine that runs the program does not need Swift; strips symbols.
installable: dependencies
	$(SWIFT) build -c release --product chartpipe --static-swift-stdlib -Xlinker -s

install: installable
	scripts/install-program .build/release/chartpipe $(DESTDIR)$(PREFIX)

uninstall:
	scripts/install-program --remove $(DESTDIR)$(PREFIX)

demo: build
	.build/release/chartpipe run sample-sectional sample-terminal sample-nasr sample-obstacles \
	  --cycle 2304 --from samples --work $(WORK)
	@echo
	@echo "Look at it:"
	@echo "  the preview        .build/release/chartpipe preview $(WORK)/site (apt-get install libjs-leaflet)"
	@echo "  the report         $(abspath $(WORK))/site/cycles/2304/report.html, in any browser"
	@echo "  a chart's tiles    .build/release/chartpipe inspect $(WORK)/build/2304/sample-sectional/Sample_West.mbtiles"
	@echo "  Palo Alto          sqlite3 $(WORK)/build/2304/sample-nasr/aviation.sqlite \"SELECT * FROM airports WHERE icao = 'KPAO'\""

test: dependencies test-dependencies lint
	$(SWIFT) test
	scripts/check-client

lint:
	$(SWIFT) format lint --strict --recursive --parallel $(FORMATTED)

bench: build
	$(SWIFT) build -c release --product make-samples
	Benchmarks/bench.py --folder $(BENCH) --runs $(RUNS)

samples: dependencies
	$(SWIFT) run -c release make-samples samples

docs: dependencies
	CHARTPIPE_WRITE_DOCS=1 $(SWIFT) test --filter SchemaPageTests

format:
	$(SWIFT) format --in-place --recursive --parallel $(FORMATTED)

clean:
	rm -rf .build $(WORK)
