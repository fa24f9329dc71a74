# Targets:
#
#   make demo        install dependencies, build, run the sample cycle, verify its site and print where it is
#   make test        check the code format, run every test, build the client library alone, test the TypeScript client and the site's page, check the documentation; installs what the tests need
#   make test-quick  run the tests without the slow ones, for the inner loop
#   make build       build the optimised program, .build/release/chartpipe
#   make install     install the program, definitions, manual and completions below PREFIX (/usr/local), as root if necessary
#   make dist        make the packages of a release, a tarball and a .deb, and the list of their components in dist/
#   make release-check  check before a release what can be checked here: versions, workflows, packages, their components; as root
#                    also in a bare Debian (scripts/check-release)
#   make bench       compare with other programs (BENCH=folder, RUNS=3); see Benchmarks/bench.py --help
#   make samples     generate samples/ again; the bytes are always the same
#   make docs        generate the tables of docs/formats from the schema
#   make format      correct the code format
#   make clean       remove all build products and work folders

SWIFT ?= swift
WORK ?= work
PREFIX ?= /usr/local
DESTDIR ?=
BENCH ?= .build/bench
RUNS ?= 3
FORMATTED = Package.swift Sources Tests Benchmarks

.PHONY: demo test client swift-tests engines typescript page docs-check test-quick build installable install uninstall dist release-check bench \
  samples docs format lint clean dependencies test-dependencies

dependencies:
	@scripts/install-dependencies

test-dependencies: dependencies
	@scripts/install-test-dependencies

build: dependencies
	$(SWIFT) build -c release --product chartpipe

# Links the Swift libraries statically, so that the target machine needs no Swift, and removes symbols.
installable: dependencies
	$(SWIFT) build -c release --product chartpipe --static-swift-stdlib -Xlinker -s

install: installable
	scripts/install-program .build/release/chartpipe $(DESTDIR)$(PREFIX)

uninstall:
	scripts/install-program --remove $(DESTDIR)$(PREFIX)

dist:
	scripts/make-dist

release-check: installable test-dependencies
	scripts/check-release

demo: build
	.build/release/chartpipe run sample-mosaic sample-sectional sample-terminal sample-nasr sample-obstacles \
	  --cycle 2304 --from samples --work $(WORK)
	@echo
	@echo "Verify the site, as of a day on which its cycle was in force:"
	.build/release/chartpipe verify $(WORK)/site --at 2023-05-01
	@echo
	@echo "Look at it:"
	@echo "  the preview        .build/release/chartpipe preview $(WORK)/site"
	@echo "  the report         $(abspath $(WORK))/site/cycles/2304/report.html, in any browser"
	@echo "  a chart's tiles    .build/release/chartpipe inspect $(WORK)/build/2304/sample-sectional/Sample_West.mbtiles"
	@echo "  Palo Alto          sqlite3 $(WORK)/build/2304/sample-nasr/aviation.sqlite \"SELECT * FROM airports WHERE icao = 'KPAO'\""

# With --jobs 3 the first three run beside each other, and then the checks of the built program.
test: lint client swift-tests engines typescript page docs-check

client: dependencies
	scripts/check-client

swift-tests: test-dependencies
	SWIFT=$(SWIFT) scripts/run-tests

engines typescript page: swift-tests
	scripts/check-$@

docs-check: swift-tests
	scripts/check-docs

# The variable disables the tests with the trait `.slow` (Tests/TestSupport/TestTraits.swift).
test-quick:
	CHARTPIPE_QUICK_TESTS=1 $(SWIFT) test

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
	rm -rf .build clients/typescript/dist $(WORK)
