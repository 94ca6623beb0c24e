import { stdinUses } from '../../config/own-choices.ts'
import { chosen, type Option } from '../option.ts'

/** Lists the flags about stdin. */
export const stdinOptions = [
  {
    name: 'stdin',
    value: 'USE',
    choices: [...stdinUses, 'envelope'],
    sets: (value) => (value === 'envelope' ? {} : { stdin: chosen(stdinUses, value) }),
    help: 'what stdin is: data, prompt, none or the envelope of another pipe -o pipe; also PIPE_STDIN and the setting stdin',
  },
  { name: 'require-stdin', help: 'exit 42 if stdin is empty' },
  {
    name: 'stdin-first-byte',
    value: 'DUR',
    help: 'give up if stdin sends nothing for DUR (exit 42); default: wait',
  },
  {
    name: 'stdin-idle',
    value: 'DUR',
    help: 'give up if stdin falls silent for DUR after its first byte (exit 42); default: wait',
  },
] as const satisfies readonly Option[]
