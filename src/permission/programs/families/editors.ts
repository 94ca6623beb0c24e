import { valuesIn } from '../copying.ts'
import type { Family, Program } from '../program.ts'

const editor: Program = { mayWrite: 'unknown words', writes: valuesIn }
const commandOption = /^(-c|--cmd|\+)/

/** Editors and pagers. */
export const editors: Family = {
  'vi vim': { ...editor, runs: commandOption },
  nvim: { runs: commandOption },
  nano: editor,
  ed: { ...editor, obeysInput: true },
  ex: { ...editor, runs: commandOption, obeysInput: true },
  red: { obeysInput: true },
  // A key file may set `LESSOPEN`, a command.
  less: { runs: /^(\+|-[A-Za-oq-z]*k|--les[a-z-]*)/, wordsAreData: true },
  'bat batcat delta': { runs: /^--pager/, wordsAreData: true },
  man: { runs: /^(-[A-LNOQRT-Za-ln-z]*[PHC]|--(pag|ht|c)[a-z-]*)/, wordsAreData: true },
  'more info whatis apropos tldr whereis help': { wordsAreData: true },
}
