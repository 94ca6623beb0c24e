import { type RecordFormat, recordFormats } from '../../../records/input-record.ts'
import type { OptionName } from '../../cli-options.ts'
import { type Flags, usageError } from '../../flags.ts'

/** Holds the flags of a run for each record. */
export interface EachFlags {
  readonly format: RecordFormat
  /** Records at once. */
  readonly jobs: number
  /** Whether one failure lets no other record begin. */
  readonly failFast: boolean
  /** The file for records that failed. */
  readonly failed: string | undefined
  /** The journal of results. */
  readonly journal: string | undefined
}

/** Why flags make no sense beside `--each`. */
const refused: Readonly<Partial<Record<OptionName, string>>> = {
  continue: 'each record starts its own conversation, and none is saved',
  resume: 'each record starts its own conversation, and none is saved',
  fork: 'each record starts its own conversation, and none is saved',
  'fork-session': 'each record starts its own conversation, and none is saved',
  session: 'each record starts its own conversation, and none is saved',
  template: 'write the command as the prompt: pipe --each "/NAME {}"',
  param: 'write the command as the prompt, with its arguments',
  'events-fd': 'the lines of -o json and stream-json describe each record',
  'dry-run': 'it shows the request of one prompt: try it with one record in the prompt',
  patch: 'each record would need a copy of the project',
  record: 'a recording holds the replies of one conversation',
  stdin: 'stdin holds the records',
  'stdin-first-byte': '--max-time limits the whole run',
  'stdin-idle': '--max-time limits the whole run',
}

/** Reads the flags of a run for each record. Throws `usage`. */
export function readEachFlags(flags: Flags): EachFlags {
  for (const [name, reason] of Object.entries(refused))
    if (flags.has(name as OptionName)) throw usageError(`--${name} cannot be combined with --each: ${reason}`)
  if (flags.format === 'pipe')
    throw usageError(
      '-o pipe cannot be combined with --each: it hands over one conversation; -o json describes each record',
    )
  if (flags.all('file').includes('-'))
    throw usageError('-f - cannot be combined with --each: stdin holds the records')
  const jobs = flags.count('jobs') ?? 1
  if (jobs > 1 && flags.has('check'))
    throw usageError('--check cannot be combined with -j: a check would judge the work of other records too')
  return {
    format: recordFormats.find((one) => one === flags.text('each')) ?? 'line',
    jobs,
    failFast: flags.has('fail-fast'),
    failed: flags.text('failed'),
    journal: flags.text('resume-map'),
  }
}
