/// How many columns of a terminal text takes.
///
/// By Unicode's general categories and, for wide characters, the ranges of East Asian Width W and F (Unicode
/// Standard Annex 11) that are whole blocks; a rare character that is off by one misaligns only its row.
func columns(of text: String) -> Int {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
  return text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
}

private func columns(of scalar: Unicode.Scalar) -> Int {
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark: return 0
  default: return isWide(scalar.value) ? 2 : 1
  }
}

private func isWide(_ value: UInt32) -> Bool {
  switch value {
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
    0x20000...0x3FFFD:
    return true
  default: return false
  }
}
