extension StoredQuery {
  /// Airports by the text that a pilot typed.
  ///
  /// SQLite plans a table expression again at each place that names it, together with the expressions that it names. So each is named
  /// as seldom as possible: otherwise preparing this query takes 23 ms instead of 3.
  /// A single letter is looked for in identifiers, and in names only where too few identifiers begin with it: thousands of names
  /// have a word that begins with most letters.
  static let airportsSearch = StoredQuery(
    name: "airportsSearch",
    answer: """
      Airports that match a typed text: the exact identifier first, then identifiers that begin with it, then names and \
      cities with its words, of which the last may be the beginning of a word: public airports first, and whole words before \
      beginnings. A state at the end narrows the matches; the FAA's abbreviations are found by their whole words. Where these are \
      fewer than asked for, words written apart or together follow, and names without the word field. Of equal matches airports \
      come before seaplane bases and the like, then those that are open, public, towered and have the longest runway. No row for \
      an empty text or for punctuation.
      """,
    parameters: "text as it was typed, greatest number of rows (20 where it is NULL)",
    sql: "WITH RECURSIVE\n"
      + [typed, vocabulary, readings, phrases, direct, looseWords, looseMatches].joined(separator: ",\n")
      + "\n" + best)

  private static let typed = """
    typed(text, rows) AS MATERIALIZED (
      -- Capitals without apostrophes, punctuation and blanks around; NULL where nothing is left.
      SELECT nullif(trim(upper(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
        printf('%s', ?1), '''', ''), char(8217), ''), char(8216), ''), '"', ' '), '*', ' '), ',', ' '), '.', ' '),
        ';', ' '), char(9), ' '), char(10), ' '), char(13), ' '))), ''),
        max(0, coalesce(CAST(?2 AS INTEGER), 20))
    ),
    begun(id) AS (
      SELECT id FROM typed CROSS JOIN airports WHERE icao >= text AND icao < text || '~'
      UNION ALL
      SELECT id FROM typed CROSS JOIN airports WHERE faaID >= text AND faaID < text || '~'
    )
    """

  /// The words that the FAA abbreviates.
  private static let abbreviations = [
    ("INTERNATIONAL", "INTL"), ("REGIONAL", "RGNL"), ("MUNICIPAL", "MUNI"), ("FIELD", "FLD"),
    ("COUNTY", "CO"), ("MEMORIAL", "MEML"), ("EXECUTIVE", "EXEC"), ("NATIONAL", "NTL"),
    ("METROPOLITAN", "METRO"),
  ]

  private static func rows(_ pairs: [(String, String)]) -> String {
    pairs.map { "('\($0)', '\($1)')" }.joined(separator: ", ")
  }

  private static let vocabulary = """
    numbers(number) AS (
      SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < 21
    ),
    abbreviations(word, short) AS (
      VALUES \(rows(abbreviations))
    ),
    states(name, code) AS (
      VALUES \(rows(StateNames.all.map { ($0.name, $0.code) }))
    ),
    endings(ending, state, quality) AS (
      SELECT '', NULL, 3
      UNION ALL
      SELECT ' ' || code, code, 3 FROM states
      UNION ALL
      SELECT ' ' || name, code, 4 FROM states
    )
    """

  /// The text as it is, and without the state at its end.
  private static let readings = """
    named(text) AS (
      SELECT coalesce(nullif(trim(replace(' ' || text || ' ', ' AIRPORT ', ' ')), ''), text) FROM typed
      WHERE length(text) > 1 OR rows > (SELECT count(*) FROM begun)
    ),
    readings(reading, text, state, quality) AS MATERIALIZED (
      SELECT 1 + (ending <> ''), rtrim(substr(text, 1, length(text) - length(ending))), state, quality FROM (
        SELECT *, max(length(ending)) FROM named CROSS JOIN endings
        WHERE text IS NOT NULL AND (ending = '' OR substr(text, -length(ending)) = ending)
        GROUP BY ending = '')
    )
    """

  /// The text to MATCH for each reading: its words, the last of them as a whole or as a prefix.
  private static let phrases = """
    words(reading, number, word, rest) AS (
      SELECT reading, 0, NULL, text || ' ' FROM readings
      UNION ALL
      SELECT reading, number + 1, substr(rest, 1, instr(rest, ' ') - 1), ltrim(substr(rest, instr(rest, ' ') + 1))
      FROM words WHERE rest <> '' AND number < 16
    ),
    terms(reading, number, word, isLast, short) AS MATERIALIZED (
      SELECT reading, number, word, rest = '', (
        SELECT short FROM abbreviations a
        WHERE a.word = words.word
          OR rest = '' AND length(words.word) > 3 AND substr(a.word, 1, length(words.word)) = words.word
        LIMIT 1)
      FROM words WHERE number > 0
    ),
    phrases(reading, whole, begun) AS MATERIALIZED (
      SELECT reading, coalesce(plain || ' AND ' || short, plain, short),
        coalesce(plainBegun || ' AND ' || shortBegun, plainBegun, shortBegun)
      FROM (
        SELECT reading,
          group_concat(iif(short IS NULL, '"' || word || '"', NULL), ' ') AS plain,
          group_concat(iif(short IS NULL, '"' || word || iif(isLast, '"*', '"'), NULL), ' ') AS plainBegun,
          group_concat('("' || word || '" OR "' || short || '")', ' AND ') AS short,
          group_concat('("' || word || iif(isLast, '"* OR "', '" OR "') || short || '")', ' AND ') AS shortBegun
        FROM terms GROUP BY reading)
    )
    """

  private static let direct = """
    asked(phrase, state, quality) AS (
      SELECT iif(number = 0, whole, begun), state, iif(number = 0, quality, 4)
      FROM phrases INNER JOIN readings USING (reading) CROSS JOIN numbers WHERE number < 2
    ),
    direct(id, quality) AS MATERIALIZED (
      SELECT id, 0 FROM typed CROSS JOIN airports WHERE icao = text
      UNION ALL
      SELECT id, 0 FROM typed CROSS JOIN airports WHERE faaID = text
      UNION ALL
      -- KF70 for F70, which has no ICAO code.
      SELECT id, 1 FROM airports
      WHERE faaID = (SELECT substr(text, 2) FROM typed WHERE text LIKE 'K___') AND icao = faaID
      UNION ALL
      SELECT * FROM (SELECT DISTINCT id, 2 FROM begun ORDER BY id LIMIT (SELECT rows FROM typed))
      UNION ALL
      SELECT f.rowid, quality FROM asked CROSS JOIN airports_fts f
      WHERE f.airports_fts MATCH phrase
        AND (asked.state IS NULL OR (SELECT state FROM airports a WHERE a.id = f.rowid) = asked.state)
    )
    """

  /// The words again if too few airports match: without `field`, and each split in two at every possible place.
  private static let looseWords = """
    generalWords(word) AS (VALUES ('AIRPORT'), ('AIRFIELD'), ('FIELD')),
    looseWords(reading, number, word, ending, short) AS MATERIALIZED (
      SELECT reading, row_number() OVER (PARTITION BY reading ORDER BY number), word, iif(isLast, '"*', '"'), short FROM (
        SELECT *, count(*) FILTER (WHERE NOT isGeneral) OVER (PARTITION BY reading) AS names
        FROM (
          SELECT *, word = 'FLD' OR EXISTS (
            SELECT 1 FROM generalWords g WHERE g.word = terms.word
              OR isLast AND length(terms.word) > 1 AND substr(g.word, 1, length(terms.word)) = terms.word) AS isGeneral
          FROM terms
          WHERE word GLOB '*[0-9A-Z]*' AND (SELECT count(DISTINCT id) FROM direct) < (SELECT rows FROM typed))
      ) WHERE NOT isGeneral OR names = 0
    ),
    looseTerms(reading, number, words, joined, term) AS MATERIALIZED (
      SELECT reading, number, count(*) OVER (PARTITION BY reading),
        '"' || word || lead(word || ending) OVER (PARTITION BY reading ORDER BY number),
        '("' || word || ending || coalesce(' OR "' || short || '"', '')
        || coalesce((SELECT group_concat(' OR "' || substr(word, 1, n.number) || ' ' || substr(word, n.number + 1) || ending, '')
          FROM numbers n WHERE n.number BETWEEN 2 AND length(word) - 3
            AND length(word) <= 24 AND word NOT GLOB '*[^0-9A-Z]*'), '')
        || ')'
      FROM looseWords
    )
    """

  /// These words, and each two adjacent words joined.
  private static let looseMatches = """
    variants(reading, phrase) AS (
      SELECT reading, '(' || group_concat(
        iif(t.number = n.number, joined, iif(n.number > 0 AND t.number = n.number + 1, NULL, term)), ' AND ') || ')'
      FROM looseTerms t CROSS JOIN numbers n ON n.number < words
      GROUP BY reading, n.number
    ),
    loose(phrase, state) AS MATERIALIZED (
      SELECT group_concat(phrase, ' OR '), (SELECT state FROM readings r WHERE r.reading = variants.reading)
      FROM variants GROUP BY reading
    ),
    matches(id, quality) AS (
      SELECT * FROM direct
      UNION ALL
      SELECT f.rowid, 5 FROM loose l CROSS JOIN airports_fts f
      WHERE f.airports_fts MATCH l.phrase
        AND (l.state IS NULL OR (SELECT state FROM airports a WHERE a.id = f.rowid) = l.state)
    )
    """

  private static let best = """
    SELECT a.* FROM (SELECT id, min(quality) AS quality FROM matches GROUP BY id) m INNER JOIN airports a ON a.id = m.id
    -- A word of a private field's name does not come before the beginning of a public airport's, and water not before land.
    ORDER BY quality > 2 AND NOT (coalesce(a.status, 'operational') = 'operational' AND a.use IS 'public'),
      quality, quality > 2 AND a.type IS NOT 'airport', a.id
    LIMIT (SELECT rows FROM typed)
    """
}
