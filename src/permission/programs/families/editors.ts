import { valuesIn } from '../copying.ts'
import type { Family, Program } from '../program.ts'
import { fieldsAfter, filesNamedBy } from '../word-fields.ts'

const editor: Program = { mayWrite: 'unknown words', writes: valuesIn }
const commandOption = /^(-[ensERvXyz]*c|--cmd|\+)/

/** `w FILE`, `1,5w >> FILE`, `saveas! FILE`, up to the next command. */
const writes = /(?<![a-z])(?:w(?:rite)?|wq|x(?:it)?|up(?:date)?|sav(?:eas)?)!?\s+(?:>>\s*)?([^\s|!][^|\n]*)/g

const vim: Program = {
  ...editor,
  writes: (args) => [
    ...valuesIn(args),
    ...fieldsAfter(args, commandOption).flatMap((field) => filesNamedBy(writes, field)),
  ],
  runs: commandOption,
  detours: /^-[Su]/,
}

/** Editors and pagers. */
export const editors: Family = {
  'vi vim nvim': vim,
  'nano emacs': editor,
  ed: { ...editor, obeysInput: true },
  ex: { ...vim, obeysInput: true },
  red: { obeysInput: true },
  // A key file may set `LESSOPEN`, a command.
  less: { runs: /^(\+|-[A-Za-oq-z]*k|--les[a-z-]*)/, wordsAreData: true },
  'bat batcat delta': { runs: /^--pager/, wordsAreData: true },
  man: { runs: /^(-[A-LNOQRT-Za-ln-z]*[PHC]|--(pag|ht|c)[a-z-]*)/, wordsAreData: true },
  'more info whatis apropos tldr whereis help': { wordsAreData: true },
}
