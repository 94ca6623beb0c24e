/** Programs that build LaTeX documents, each with the options that run nothing else. */
const programs: Readonly<Record<string, RegExp>> = {
  pdflatex: options('draftmode'),
  xelatex: options('no-pdf'),
  lualatex: options('draftmode', 'safer'),
  tectonic: options('X', 'o', 'outdir', 'keep-logs', 'keep-intermediates', 'untrusted', 'only-cached'),
  latexmk: options(
    'norc',
    'pdf',
    'pdfxe',
    'pdflua',
    'xelatex',
    'lualatex',
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
  return new RegExp(`^--?(?:${[...common, ...names].join('|')})(?:=[\\w./-]+)?$`)
}

/**
 * Whether a command does nothing but build a LaTeX document: one program, with words that no shell expands and options that run nothing.
 * `latexmk` must leave out its configuration files, which are programs.
 */
export function isLatexBuild(command: string): boolean {
  const [program = '', ...words] = command.trim().split(/[ \t]+/)
  const allowed = Object.hasOwn(programs, program) ? programs[program] : undefined
  if (allowed === undefined || command.includes('\n')) return false
  if (program === 'latexmk' && !words.some((word) => /^--?norc$/.test(word))) return false
  return words.every((word) => (word.startsWith('-') ? allowed.test(word) : /^[\w./][\w./-]*$/.test(word)))
}
