import type { Field } from '../../bash/fields.ts'
import type { Family, Program } from '../program.ts'
import { orHere, outputOption } from '../program-options.ts'
import { hasWord } from '../word-fields.ts'

const checks =
  /^(-c|-n|--(check(-only|-formatted)?|diff|dry-run|lint|verify[a-z-]*|set-exit-if-changed|output=(none|show)))$/

/** The files of a formatter that changes them unless it only checks. */
function unlessChecked(args: readonly Field[], paths: readonly Field[]): readonly Field[] {
  return hasWord(args, checks) ? [] : paths
}

/** Changes the files and folders that it is given, unless it only checks. */
const always: Program = { writes: unlessChecked, fills: unlessChecked }

/** Changes the files that it is given, and those in the folders that it is given, with these options. */
const changerWith = (inPlace: RegExp): Program => ({
  inPlace,
  fills: (args, paths) => (hasWord(args, inPlace) ? orHere(paths) : []),
})

/** Like `changerWith`, for a program whose first operand is a subcommand. */
const verbWith = (inPlace: RegExp): Program => ({
  inPlace,
  fills: (args, [, ...paths]) => (hasWord(args, inPlace) ? orHere(paths) : []),
})

/** Changes files and folders with a subcommand, unless it only checks. Default: those in the folder that it runs in. */
export const formatsBy =
  (verbs: RegExp): NonNullable<Program['fills']> =>
  (args, [verb, ...paths]) =>
    verbs.test(verb?.text ?? '') ? unlessChecked(args, orHere(paths)) : []

const fixer = changerWith(/^--?(fix|write)/)
const formatter = changerWith(/^(--?w|--write)$/)

/** Formatters, and checkers that mend what they find. */
export const formatters: Family = {
  black: { ...always, wordsAreData: true },
  'isort rustfmt nixfmt nixpkgs-fmt alejandra stylua swiftformat pyupgrade': always,
  'gofmt goimports gofumpt shfmt': formatter,
  prettier: { ...formatter, wordsAreData: true },
  eslint: { ...fixer, outputs: outputOption, wordsAreData: true },
  biome: { ...verbWith(/^--(fix|write|apply)/), wordsAreData: true },
  ruff: {
    inPlace: /^--fix/,
    writes: (args, [verb, ...paths]) => (verb?.text === 'format' ? unlessChecked(args, paths) : []),
    fills: (args, operands) =>
      hasWord(args, /^--fix/) ? orHere(operands.slice(1)) : formatsBy(/^format$/)(args, operands),
    wordsAreData: true,
  },
  'stylelint oxlint standard xo tslint markdownlint markdownlint-cli2 clang-tidy swiftlint': fixer,
  'golangci-lint': verbWith(/^--fix/),
  'clang-format autopep8 autoflake yapf': changerWith(/^(-[a-z]*i[a-z]*|--in-?place|--replace)$/),
  rubocop: changerWith(/^(-[aAx]|--auto-?correct[a-z-]*|--fix-layout)$/),
  ktlint: changerWith(/^(-F|--format)$/),
  // Its operands may be patterns.
  'ast-grep': { fills: (args) => (hasWord(args, /^(-[a-z]*U|--update-all)$/) ? orHere([]) : []) },
  'dprint zig dart dotnet mix php-cs-fixer': { fills: formatsBy(/^(fmt|format|fix)$/) },
  buf: {
    fills: (args, operands) => (hasWord(args, /^(-w|--write)$/) ? formatsBy(/^format$/)(args, operands) : []),
  },
}
