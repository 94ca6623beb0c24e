import type { Field } from './fields.ts'
import { valuesAfter } from './options.ts'

/** Options whose value a program runs, or has something run. */
const options: Readonly<Record<string, RegExp>> = {
  tar: /^(--to-c[a-z-]*|--checkpoint-a[a-z-]*|--use-c[a-z-]*|--info-s[a-z-]*|--new-v[a-z-]*|--rsh-c[a-z-]*|-[IF])/,
  rsync: /^(-[A-Za-z]*e|--rsh|--rsync-path)/,
  ssh: /^-o/,
  scp: /^-[oS]/,
  sftp: /^-[oS]/,
  sort: /^--c[a-z-]*/,
  rg: /^--(pre|hostname-bin)/,
  man: /^(-[PH]|--pager|--html)/,
  zip: /^(-TT|--unzip-command)/,
  vim: /^(-c|--cmd|\+)/,
  nvim: /^(-c|--cmd|\+)/,
  vi: /^(-c|--cmd|\+)/,
  ex: /^(-c|--cmd|\+)/,
  less: /^\+/,
  gdb: /^(-ex|-iex|--eval-command)/,
  lldb: /^(-[oO]|--one-line)/,
  nc: /^(-[ec]|--exec|--sh-exec)/,
  ncat: /^(-[ec]|--exec|--sh-exec)/,
  socat: /^(?=[A-Za-z])/,
  expect: /^-c/,
  fzf: /^--(preview|bind)/,
  make: /^SHELL=/,
  npm: /^(-c|--call)/,
  'nix-shell': /^--(run|command)/,
  vagrant: /^(-c|--command)/,
  bind: /^-x/,
}

/** Options before the code of a program in another language; an empty one: any word may be it. */
const languages: readonly (readonly [name: RegExp, option: RegExp])[] = [
  [/^python[\d.]*$/, /^-[A-Za-z]*c/],
  [/^(perl|ruby)[\d.]*$/, /^-[A-Za-z]*[eE]/],
  [/^(node|nodejs|bun)$/, /^(-[ep]+|--eval|--print)/],
  [/^php[\d.]*$/, /^-r/],
  [/^(lua[\d.]*|osascript)$/, /^-e/],
  [/^([gmn]?awk|sed|gsed|deno)$/, /^(?=.)/],
]

/** How such code runs a command. */
const runsCommands = /system|exec|popen|spawn|subprocess|child_process|passthru|Command|shell|[`|]|qx/
/** A command that sed runs, or a replacement that it takes for one. */
const sedRuns = /(?:^|[;{}\s\d$/])e\s+([^\n]+)|([^\n]*)\/[gpiIm\d]*e[gpiIm\d]*(?=$|[;}\s])/g

/** What may be a command in the words that a program hands on to a shell, or to a language that has shells run things. */
export function carriedScripts(name: string, args: readonly Field[]): readonly string[] {
  const own = Object.hasOwn(options, name) ? options[name] : undefined
  const values = own === undefined ? [] : valuesAfter(args, own)
  const language = languages.find(([pattern]) => pattern.test(name))
  const code = language === undefined ? [] : valuesAfter(args, language[1])
  return [
    ...known(values).flatMap(piecesOf),
    ...known(code).flatMap(/sed$/.test(name) ? sedCommands : literalsOf),
  ]
}

/** `exec=rm x`, `:!rm x`, `shell rm x`: a command behind what says that it is one. */
function piecesOf(value: string): readonly string[] {
  const pieces = [value, ...value.split(/[=!:()"]/)]
  return pieces.flatMap((piece) => [piece, piece.trim().replace(/^\S+\s+/, '')])
}

function sedCommands(script: string): readonly string[] {
  return [...script.matchAll(sedRuns)].flatMap(([, command, replacement = '']) =>
    command === undefined ? replacement.split('/') : [command],
  )
}

/** The texts in a piece of code, and those that follow each other as the words of one command: `["rm", "x"]`. */
function literalsOf(code: string): readonly string[] {
  if (!runsCommands.test(code)) return []
  const literals = [...code.matchAll(/(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs)].map(([, , text = '']) => text)
  return literals.slice(0, 32).flatMap((text, i) => [text, literals.slice(i, i + 4).join(' ')])
}

function known(texts: readonly (string | undefined)[]): readonly string[] {
  return texts.filter((text) => text !== undefined)
}
