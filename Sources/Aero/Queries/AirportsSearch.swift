extension StoredQuery {
  /// Airports by what a pilot typed.
  ///
  /// The ids of the airports are in the order of `AirportRank`, so the most important of the matches are those with the lowest
  /// ids: identifiers come from their indexes, and FTS5 gives its matches in the order of ids and stops at the limit.
  /// A single letter is looked for in identifiers, and in names only where too few identifiers begin with it: thousands of names
  /// have a word that begins with most letters.
  static let airportsSearch = StoredQuery(
    name: "airportsSearch",
    answer: """
      Airports that match a typed text: the exact identifier first, then identifiers that begin with it, then names and \
      cities with its words, of which the last may be the beginning of a word: public airports first, and whole words before \
      beginnings. Of equal matches those that are open, public, towered and have the longest runway come first. No row for \
      an empty text or for punctuation.
      """,
    parameters: "text as it was typed, greatest number of rows (20 where it is NULL)",
    sql: """
      WITH typed(text, rows) AS MATERIALIZED (
        -- Capitals without apostrophes, quotation marks, asterisks, commas and blanks around; NULL where nothing is left.
        SELECT nullif(trim(upper(replace(replace(replace(replace(replace(replace(replace(replace(replace(
          printf('%s', ?1), '''', ''), char(8217), ''), char(8216), ''), '"', ' '), '*', ' '), ',', ' '),
          char(9), ' '), char(10), ' '), char(13), ' '))), ''),
          max(0, coalesce(CAST(?2 AS INTEGER), 20))
      ),
      begun(id) AS (
        SELECT id FROM airports
        WHERE icao >= (SELECT text FROM typed) AND icao < (SELECT text || '~' FROM typed)
        UNION ALL
        SELECT id FROM airports
        WHERE faaID >= (SELECT text FROM typed) AND faaID < (SELECT text || '~' FROM typed)
      ),
      phrases(whole, begun) AS MATERIALIZED (
        -- The words for MATCH: each in quotation marks, and with a star where the last may be a beginning.
        SELECT coalesce(words, '""'), coalesce(words || '*', '""') FROM (
          SELECT '"' || replace(text, ' ', '" "') || '"' AS words FROM typed
          WHERE length(text) > 1 OR rows > (SELECT count(*) FROM begun)
          UNION ALL SELECT NULL ORDER BY 1 DESC LIMIT 1)
      ),
      matches(id, quality) AS (
        SELECT id, 0 FROM airports WHERE icao = (SELECT text FROM typed)
        UNION ALL
        SELECT id, 0 FROM airports WHERE faaID = (SELECT text FROM typed)
        UNION ALL
        -- KF70 for F70, which has no ICAO code.
        SELECT id, 1 FROM airports
        WHERE faaID = (SELECT substr(text, 2) FROM typed WHERE text LIKE 'K___') AND icao = faaID
        UNION ALL
        SELECT * FROM (SELECT DISTINCT id, 2 FROM begun ORDER BY id LIMIT (SELECT rows FROM typed))
        UNION ALL
        SELECT * FROM (
          SELECT rowid, 3 FROM airports_fts WHERE airports_fts MATCH (SELECT whole FROM phrases)
          ORDER BY rowid LIMIT (SELECT rows FROM typed))
        UNION ALL
        SELECT * FROM (
          SELECT rowid, 4 FROM airports_fts WHERE airports_fts MATCH (SELECT begun FROM phrases)
          ORDER BY rowid LIMIT (SELECT rows FROM typed))
      ),
      best(id, quality) AS (SELECT id, min(quality) FROM matches GROUP BY id)
      SELECT a.* FROM best INNER JOIN airports a ON a.id = best.id
      -- A word of a private field's name does not come before the beginning of a public airport's.
      ORDER BY quality > 2 AND NOT (coalesce(a.status, 'operational') = 'operational' AND a.use IS 'public'),
        quality, a.id
      LIMIT (SELECT rows FROM typed)
      """)
}
