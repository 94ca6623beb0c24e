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
    help: 'records of --each, or tasks of a worker, to work on at once; default: 1',
  },
  {
    name: 'failed',
    value: 'FILE',
    help: 'with --each: write the records that failed or were not run to FILE, as they came in',
  },
  {
    name: 'resume-map',
    value: 'FILE',
    help: 'with --each: keep results in FILE, and ask for none that is there already',
  },
  { name: 'fail-fast', help: 'with --each: begin no other record once one has failed' },
] as const satisfies readonly Option[]
