import { recordFormats } from '../records/input-record.ts'
import type { Option } from './option.ts'

/** Lists the flags of a run for each record of stdin. */
export const eachOptions = [
  {
    name: 'each',
    value: 'FORMAT',
    optional: 'inline',
    choices: recordFormats,
    otherWords: { '': 'line', jsonl: 'ndjson' },
    help: 'run the prompt for each record of stdin: line (default), nul, ndjson or csv; {} is the record, {NAME} a field',
  },
  {
    name: 'jobs',
    short: 'j',
    value: 'N',
    help: 'with --each: work on N records at once; default: 1',
    helpIn: { worker: 'work on N tasks at once; default: 1' },
  },
  {
    name: 'failed',
    value: 'FILE',
    help: 'with --each: write the records that failed or did not run to FILE, unchanged',
  },
  {
    name: 'resume-map',
    value: 'FILE',
    help: 'with --each: keep results in FILE, and skip records whose result is there',
  },
  { name: 'fail-fast', help: 'with --each: start no more records once one has failed' },
] as const satisfies readonly Option[]
