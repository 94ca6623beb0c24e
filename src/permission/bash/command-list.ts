import { bareText, type Redirect, type ScannedCommand, type Script, type Word } from './syntax.ts'

/** Words after which a new command begins. */
const openers = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', 'coproc', '!', '{'])
const closers = new Set(['fi', 'done', '}', 'esac'])
const headers = new Set(['for', 'select', 'case'])

/** Builds commands from the words and operators of a script. Drops the keywords that only structure it. */
export class CommandList {
  readonly #commands: ScannedCommand[] = []
  readonly #loops: { name: string | undefined; values: readonly Word[] }[] = []
  readonly #pending: Redirect[] = []
  #words: Word[] = []
  #redirects: Redirect[] = []
  /** Tells the role of the current words: a command, the head of a loop, the subject or patterns of a `case`, a function's name. */
  #mode: 'command' | 'loop' | 'subject' | 'pattern' | 'name' = 'command'
  #compound = false
  #piped = false
  /** After `coproc`: the next word may be its name. */
  #namesNext = false
  #cases = 0

  /** Open `case` statements. Their patterns end in a parenthesis that closes nothing. */
  get cases(): number {
    return this.#cases
  }

  word(word: Word): void {
    const name = this.#mayOpen() ? bareText(word) : undefined
    if (this.#mode === 'name') this.#mode = 'command'
    else if (this.#mode === 'subject' && bareText(word) === 'in') this.#endData('pattern')
    else if (this.#mode === 'pattern' && name === 'esac') this.#closeCase()
    else if (this.#mode === 'command' && name !== undefined && this.#isReserved(name))
      this.#compound ||= name !== '!'
    else this.#words.push(word)
  }

  redirect(redirect: Redirect): void {
    this.#redirects.push(redirect)
    if (redirect.operator === '<<' || redirect.operator === '<<-') this.#pending.push(redirect)
  }

  operator(symbol: string): void {
    if (symbol === '(' || symbol === ')' || symbol.startsWith(';;') || symbol === ';&') this.#compound = true
    if (this.#mode === 'pattern') {
      if (symbol === ')') this.#endData('command')
      return
    }
    if (this.#mode === 'loop') this.#endLoop()
    else this.#endCommand()
    this.#piped ||= symbol === '|' || symbol === '|&'
    if (this.#cases > 0 && /^;;|^;&/.test(symbol)) this.#mode = 'pattern'
  }

  takePending(): readonly Redirect[] {
    return this.#pending.splice(0)
  }

  /** Attaches a here-document's body to its redirect. */
  fill(redirect: Redirect, given: Pick<Redirect, 'text' | 'body'>): void {
    const filled = { ...redirect, ...given }
    const replace = (all: readonly Redirect[]) => all.map((one) => (one === redirect ? filled : one))
    this.#redirects = replace(this.#redirects)
    const at = this.#commands.findLastIndex(({ redirects }) => redirects.includes(redirect))
    const command = this.#commands[at]
    if (command !== undefined) this.#commands[at] = { ...command, redirects: replace(command.redirects) }
  }

  close(broken: boolean): Script {
    if (this.#mode === 'loop') this.#endLoop()
    else this.#endCommand()
    return { commands: this.#commands, loops: this.#loops, compound: this.#compound, broken }
  }

  /** Whether a compound command may begin here: at the start, or after `time` or a coprocess's name. */
  #mayOpen(): boolean {
    if (this.#words.length > 2) return false
    const texts = this.#words.map(bareText)
    return (
      texts.length === 0 || /^time( -p)?$/.test(texts.join(' ')) || (this.#namesNext && texts.length === 1)
    )
  }

  #isReserved(name: string): boolean {
    if (headers.has(name)) this.#mode = name === 'case' ? 'subject' : 'loop'
    else if (name === 'function') this.#mode = 'name'
    else if (!openers.has(name) && !closers.has(name)) return false
    if (name === 'case') this.#cases++
    this.#namesNext = name === 'coproc'
    this.#words = []
    if (name === 'esac') this.#cases = Math.max(0, this.#cases - 1)
    return true
  }

  #endCommand(): void {
    if (this.#words.length > 0 || this.#redirects.length > 0) {
      this.#commands.push({ words: this.#words, redirects: this.#redirects, piped: this.#piped })
    }
    this.#words = []
    this.#redirects = []
    this.#namesNext = false
  }

  #endLoop(): void {
    const [variable, preposition, ...values] = this.#words
    const name = variable === undefined ? undefined : bareText(variable)
    const isList = preposition !== undefined && bareText(preposition) === 'in'
    this.#loops.push({ name: isList ? name : undefined, values: isList ? values : this.#words })
    this.#words = []
    this.#mode = 'command'
  }

  #endData(next: 'command' | 'pattern'): void {
    this.#loops.push({ name: undefined, values: this.#words })
    this.#words = []
    this.#mode = next
  }

  #closeCase(): void {
    this.#cases = Math.max(0, this.#cases - 1)
    this.#mode = 'command'
  }
}
