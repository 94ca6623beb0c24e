import type { Field } from '../bash/fields.ts'

/** The options of a program that pipe knows, which let it tell the operands apart. */
interface Options {
  /** Letters of short options without a value. */
  readonly flags: string
  /** Letters with a value: the rest of the word, or the next word. */
  readonly valued: string
  readonly long: string
  readonly longValued: string
  /** Letters whose values are all words up to the next option. An operand must come first. */
  readonly lists?: string
}

const copying = 'force interactive no-clobber no-target-directory strip-trailing-slashes update verbose'

const tar: Options = {
  flags: 'cxtruAvzjJZapPhkmSO',
  valued: 'fCTXI',
  long:
    'create extract get list append update catenate concatenate delete verbose gzip bzip2 xz zstd auto-compress dereference ' +
    'preserve-permissions same-owner no-same-owner numeric-owner no-recursion exclude-vcs totals sort',
  longValued:
    'file directory exclude exclude-from files-from strip-components transform owner group mode mtime',
}

const known: ReadonlyMap<string, Options> = new Map([
  [
    'cp',
    {
      flags: 'abdfHiLnPpRrTuvx',
      valued: 'tS',
      long: `${copying} archive recursive dereference no-dereference preserve no-preserve one-file-system reflink sparse backup`,
      longValued: 'target-directory suffix',
    },
  ],
  [
    'mv',
    { flags: 'bfinTuv', valued: 'tS', long: `${copying} backup`, longValued: 'target-directory suffix' },
  ],
  [
    'install',
    {
      flags: 'bcCdDpsTv',
      valued: 'gmotS',
      long: 'directory compare strip verbose preserve-timestamps no-target-directory backup',
      longValued: 'group mode owner target-directory suffix',
    },
  ],
  [
    'ln',
    {
      flags: 'bfiLnPrsTv',
      valued: 'tS',
      long: 'symbolic force interactive logical physical relative no-dereference no-target-directory verbose backup',
      longValued: 'target-directory suffix',
    },
  ],
  ['scp', { flags: '346ABCpqrTvO', valued: 'cDFiJloPSX', long: '', longValued: '' }],
  [
    'rsync',
    {
      flags: 'avzrlptgoDHAXSPhqucnWxLkKi468ys',
      valued: 'efB',
      long:
        'archive verbose compress recursive links perms times checksum update dry-run progress stats human-readable quiet ' +
        'delete delete-after delete-before delete-delay delete-during delete-excluded ignore-existing existing inplace partial ' +
        'numeric-ids no-owner no-group no-perms size-only itemize-changes hard-links copy-links whole-file',
      longValued:
        'exclude include filter exclude-from include-from files-from rsh chmod bwlimit timeout max-size min-size info port',
    },
  ],
  ['tar', tar],
  ['gtar', tar],
  ['bsdtar', tar],
  [
    'zip',
    {
      flags: 'rqvjyXDugeo0123456789',
      valued: '',
      lists: 'xi',
      long: 'recurse-paths quiet verbose junk-paths symlinks',
      longValued: '',
    },
  ],
  [
    'sed',
    {
      flags: 'nErsuz',
      valued: 'el',
      long: 'quiet silent regexp-extended posix debug sandbox null-data separate unbuffered',
      longValued: 'expression line-length',
    },
  ],
  [
    'curl',
    {
      flags: 'fgiIkLNsSv#01346jqalMpRGO',
      valued: 'AbcCdDeFHhmoPQrtTuUxXyYzE',
      long:
        'silent show-error fail head include insecure compressed verbose globoff ipv4 ipv6 get location remote-name create-dirs ' +
        'no-progress-meter progress-bar http1.1 http2',
      longValued:
        'request header data data-raw data-binary data-urlencode form json user user-agent url upload-file output output-dir cookie ' +
        'cookie-jar dump-header proxy retry retry-delay max-time connect-timeout cacert cert key',
    },
  ],
  [
    'wget',
    {
      flags: 'qvcnSdNHpkmrKF46',
      valued: 'OPoaTtwQUlADRIX',
      long:
        'quiet verbose no-verbose continue no-check-certificate timestamping show-progress recursive no-parent mirror spider ' +
        'no-clobber server-response',
      longValued:
        'output-document directory-prefix output-file append-output save-cookies load-cookies header user-agent post-data post-file ' +
        'body-data method timeout tries user password level accept reject wait',
    },
  ],
])

/** Whether the options of a program are listed here. */
export function hasKnownOptions(name: string): boolean {
  return known.has(name)
}

/** The operands of a command; `undefined` if the program or one of its options is not listed. */
export function knownOperands(name: string, args: readonly Field[]): readonly Field[] | undefined {
  const options = known.get(name)
  if (options === undefined) return undefined
  const operands: Field[] = []
  let last: Kind = 'flag'
  for (const [i, field] of args.entries()) {
    if (last === 'valued') last = 'flag'
    else if (field.text === '--') {
      const rest = args.slice(i + 1)
      return rest.some(isOption) ? undefined : [...operands, ...rest]
    } else if (isOption(field)) {
      last = kindOf(field.text, options)
      if (last === 'unknown' || (last === 'list' && operands.length === 0)) return undefined
    } else if (last !== 'list') operands.push(field)
  }
  return operands
}

function isOption({ text }: Field): boolean {
  return /^-./.test(text)
}

/** The value of an option: none, the next word (`valued`), or all words up to the next option (`list`). */
type Kind = 'flag' | 'valued' | 'list' | 'unknown'

function kindOf(text: string, options: Options): Kind {
  if (text.startsWith('--')) {
    const [name = '', ...value] = text.slice(2).split('=')
    if (options.longValued.split(' ').includes(name)) return value.length > 0 ? 'flag' : 'valued'
    return options.long.split(' ').includes(name) ? 'flag' : 'unknown'
  }
  for (const [i, letter] of [...text.slice(1)].entries()) {
    if (options.valued.includes(letter)) return i === text.length - 2 ? 'valued' : 'flag'
    if (options.lists?.includes(letter)) return text.length === 2 ? 'list' : 'unknown'
    if (!options.flags.includes(letter)) return 'unknown'
  }
  return 'flag'
}
