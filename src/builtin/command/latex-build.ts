/** Programs that build LaTeX documents, each with the options that run nothing else. */
const programs: Readonly<Record<string, RegExp>> = {
  pdflatex: options('draftmode'),
  xelatex: options('no-pdf'),
  lualatex: options('draftmode', 'safer'),
  tectonic: options('o', 'outdir', 'keep-logs', 'keep-intermediates', 'untrusted', 'only-cached'),
  latexmk: options(
    'norc',
    'pdf',
    'pdfxe',
    'xelatex',
    'c',
    'C',
    'f',
    'g',
    'cd',
    'silent',
    'quiet',
    'bibtex',
    'outdir',
    'auxdir',
  ),
}

function options(...names: readonly string[]): RegExp {
  const common = ['interaction', 'halt-on-error', 'file-line-error', 'output-directory', 'jobname', 'synctex']
  return new RegExp(`^--?(?:${[...common, ...names].join('|')})(?:=\\w[\\w./-]*)?$`)
}

/** A path that does not leave the working folder by its beginning. */
const pathBelow = /^[\w.][\w./-]*$/

/** Options without which a program may run or write anything: its configuration, or the Lua code of the document. */
const needed: Readonly<Record<string, RegExp>> = { latexmk: /^--?norc$/, lualatex: /^--?safer$/ }

/** Whether a command does nothing but build a LaTeX document: one program, with words that no shell expands and options that run nothing. */
export function isLatexBuild(command: string): boolean {
  const [program = '', ...words] = command.trim().split(/[ \t]+/)
  const allowed = Object.hasOwn(programs, program) ? programs[program] : undefined
  if (allowed === undefined || command.includes('\n')) return false
  const must = needed[program]
  if (must !== undefined && !words.some((word) => must.test(word))) return false
  return words.every(
    (word) => (word.startsWith('-') ? allowed : pathBelow).test(word) && !word.includes('..'),
  )
}
