import type { Option } from './option.ts'

/** Lists the flags that ask something of a run's answer. */
export const answerOptions = [
  {
    name: 'json-schema',
    aliases: ['output-schema'],
    value: 'SCHEMA',
    help: "answer only with JSON that fits this schema: a file, JSON, or in short 'name, age int' (exit 49 if it does not fit)",
  },
  {
    name: 'check',
    value: 'LINE',
    help: 'succeed only if LINE does in bash; the model gets its failure and tries again (exit 50)',
    helpIn: { race: 'let only results win with which LINE succeeds in bash (exit 50 if none does)' },
  },
  { name: 'check-tries', value: 'N', help: 'let a failed --check go back to the model N times; default: 3' },
  {
    name: 'patch',
    help: 'work on a copy of the project and print what changed as one diff, which git apply takes; the answer goes to stderr',
  },
  { name: 'yes-no', help: 'answer yes (exit 0) or no (exit 1), with the reason on stdout' },
  {
    name: 'extract',
    short: 'x',
    value: 'LANG',
    optional: 'language',
    help: 'print only the last fenced block of the answer, in this language if one is given (exit 49 if there is none)',
  },
  {
    name: 'events-fd',
    value: 'N',
    help: 'write the lines of -o stream-json to descriptor N, 3 or more, beside the answer on stdout',
  },
  {
    name: 'raw',
    help: 'show the Markdown of an answer as it is, not drawn; like "markdown": false',
  },
] as const satisfies readonly Option[]
