interface Opened {
  /** The commands of `e` and `s///e`. An empty one stands for the text that sed reads. */
  readonly commands: readonly string[]
  /** The files of `r` and `R`. */
  readonly files: readonly string[]
  /** The files of `w`, `W` and `s///w`. */
  readonly written: readonly string[]
}

/** Returns the commands that a sed script runs, and the files that it reads and writes. */
export function openedBySed(code: string): Opened {
  const script = new Script(code)
  const commands: string[] = []
  const files: string[] = []
  const written: string[] = []
  for (let name = script.command(); name !== undefined; name = script.command()) {
    if (name === 's' || name === 'y') {
      const { replacement, flags } = script.replacement()
      if (name === 's' && flags.includes('e')) commands.push(replacement)
      if (flags.includes('w')) written.push(script.fileAfter(flags))
    } else if (name === 'e') commands.push(script.line())
    else if (name === 'r' || name === 'R') files.push(script.line())
    else if ('aic'.includes(name)) script.text()
    else if (name === 'w' || name === 'W') written.push(script.line())
    else if (name === '#') script.line()
    else if ('btTv:'.includes(name)) script.label()
    else script.number()
  }
  return { commands, files, written }
}

/** Reads a sed script from its beginning, command by command. */
class Script {
  readonly #code: string
  #at = 0

  constructor(code: string) {
    this.#code = code
  }

  /** Reads blanks, up to two addresses and the name of a command. Returns `undefined` where none follows. */
  command(): string | undefined {
    this.#skip(' \t\r\n;{}')
    if (this.#address()) {
      this.#skip(blanks)
      if (this.#take(',')) {
        this.#skip(blanks)
        this.#address()
      }
    }
    this.#skip(`${blanks}!`)
    const name = this.#code[this.#at] ?? ''
    if (!/^[a-zA-Z:#=]$/.test(name)) return undefined
    this.#at++
    return name
  }

  /** Reads `/pattern/replacement/flags`, whatever its delimiter. */
  replacement(): { readonly replacement: string; readonly flags: string } {
    const delimiter = this.#code[this.#at++] ?? ''
    this.#upTo(delimiter)
    const replacement = this.#upTo(delimiter)
    return { replacement, flags: this.#skip(letters + digits) }
  }

  /** Reads the rest of the line, without blanks around it. */
  line(): string {
    const end = this.#code.indexOf('\n', this.#at)
    const start = this.#at
    this.#at = end === -1 ? this.#code.length : end
    return this.#code.slice(start, this.#at).trim()
  }

  /** Reads the file after the flags of `s`, which may be joined to the `w`. */
  fileAfter(flags: string): string {
    return flags.slice(flags.indexOf('w') + 1) + this.line()
  }

  /** Reads lines as long as they end with a backslash. */
  text(): void {
    while (this.line().endsWith('\\') && this.#at < this.#code.length) this.#at++
  }

  label(): void {
    this.#skip(' \t')
    while (this.#at < this.#code.length && !/[\s;}]/.test(this.#code[this.#at] ?? '')) this.#at++
  }

  number(): void {
    this.#skip(blanks)
    this.#skip(digits)
  }

  /** Reads an address such as `2`, `0~3`, `+1`, `$`, `/re/I` or `\,re,`. */
  #address(): boolean {
    if (this.#take('$')) return true
    if (this.#take('/')) return this.#pattern('/')
    if (this.#take('\\')) return this.#pattern(this.#code[this.#at++] ?? '')
    const sign = this.#skip('+~')
    const number = this.#skip(digits)
    if (number !== '' && this.#take('~')) this.#skip(digits)
    return sign !== '' || number !== ''
  }

  #pattern(delimiter: string): true {
    this.#upTo(delimiter)
    this.#skip('IM')
    return true
  }

  /** Reads up to the next delimiter without a backslash, and over it. */
  #upTo(delimiter: string): string {
    const start = this.#at
    while (this.#at < this.#code.length && this.#code[this.#at] !== delimiter)
      this.#at += this.#code[this.#at] === '\\' ? 2 : 1
    const read = this.#code.slice(start, this.#at)
    this.#at++
    return read
  }

  #take(char: string): boolean {
    if (this.#code[this.#at] !== char) return false
    this.#at++
    return true
  }

  #skip(chars: string): string {
    const start = this.#at
    while (this.#at < this.#code.length && chars.includes(this.#code[this.#at] ?? '')) this.#at++
    return this.#code.slice(start, this.#at)
  }
}

const blanks = ' \t\r\n'
const digits = '0123456789'
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'
