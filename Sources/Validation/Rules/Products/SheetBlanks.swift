internal import Pipeline

/// Rows and columns of the sheet that the build found without any print: the source itself has lost something there.
struct SheetBlanks: ProductRule {
  let name = "sheet-blanks"
  let protects = "A strip that is missing from the source does not hide what is printed there without notice."

  func check(_ subject: ProductUnderTest) -> [Finding] {
    (subject.product.reference?.doubts ?? []).map { warning(subject.place, $0) }
  }
}
