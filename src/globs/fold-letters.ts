/** Folds case letter by letter, without changing the length of a text. No other letter becomes an ASCII one. */
export function foldLetters(text: string): string {
  const upper = text.toUpperCase()
  return /^[\0-\x7f]*$/.test(text) ? upper : Array.from(text, foldLetter).join('')
}

function foldLetter(letter: string): string {
  const upper = letter.toUpperCase()
  const isOther = upper.length !== letter.length || (letter > '\x7f' && upper <= '\x7f')
  return isOther ? letter : upper
}
