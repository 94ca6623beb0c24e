import { textField } from '../../json-value.ts'
import type { ToolLook } from '../../tool.ts'
import type { Screen } from '../state.ts'

/** The name under which the user's own command is shown. */
export const ownCommandName = 'shell'

const ownCommand: ToolLook = { display: 'output', target: (args) => textField(args, 'command') ?? '' }

/** Finds how calls of this name look. */
export function callLook({ look }: Pick<Screen, 'look'>, name: string): ToolLook {
  return name === ownCommandName ? ownCommand : look(name)
}
