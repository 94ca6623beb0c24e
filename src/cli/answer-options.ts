import type { Option } from './option.ts'

/** Lists the flags that ask something of a run's answer. */
export const answerOptions = [
  {
    name: 'json-schema',
    aliases: ['output-schema'],
    value: 'SCHEMA',
    help: "answer with JSON of this schema alone: a file, JSON, or in short 'name, age int' (exit 49 if it does not fit)",
  },
  {
    name: 'check',
    value: 'LINE',
    help: 'LINE must succeed in bash before the run does; a failure goes back to the model (exit 50); race: only results that pass can win',
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
    name: 'raw',
    help: 'show an answer on a terminal as it was written, its Markdown not drawn; like "markdown": false',
  },
] as const satisfies readonly Option[]
