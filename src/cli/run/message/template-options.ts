import type { Option } from '../../option.ts'

/** Flags of a prompt that is written in a file. */
export const templateOptions = [
  {
    name: 'template',
    short: 't',
    value: 'NAME',
    help: 'the prompt is this command of yours, commands/NAME.md, with the words in the place of $ARGUMENTS',
  },
  {
    name: 'param',
    value: 'NAME=VALUE',
    help: 'what stands in the place {{NAME}} of the template (again for more)',
  },
] as const satisfies readonly Option[]
