import type { Option } from '../../option.ts'

/** Flags of a prompt that is written in a file. */
export const templateOptions = [
  {
    name: 'template',
    short: 't',
    value: 'NAME',
    help: 'use your command commands/NAME.md as the prompt, with the words in place of $ARGUMENTS',
  },
  {
    name: 'param',
    value: 'NAME=VALUE',
    help: 'a value for {{NAME}} in the template (repeat for more)',
  },
] as const satisfies readonly Option[]
