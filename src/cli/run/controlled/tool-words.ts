import { askTool } from '../../../builtin/work/ask-tool.ts'
import { ownInput, peerCall, peerName } from '../../../hooks/peer-call.ts'
import type { ToolWords } from '../../../line/controlled/tool-permission.ts'
import type { Host } from '../../host.ts'
import { knownTools } from '../../wiring/tools/known-tools.ts'

/** The words of peers for tools, as hooks have them. */
export function peerWords({ cwd, home }: Pick<Host, 'cwd' | 'home'>): ToolWords {
  const find = (name: string) => knownTools.find((tool) => tool.name === name)
  return {
    question: peerName(askTool),
    name: (name) => {
      const tool = find(name)
      return tool === undefined ? name : peerName(tool)
    },
    call: (name, args) => {
      const tool = find(name)
      return tool === undefined ? { name, input: args } : peerCall(tool, args, { cwd, home })
    },
    ownInput: (name, input) => {
      const tool = find(name)
      return tool === undefined ? input : ownInput(tool, input)
    },
  }
}

/** Our own words. */
export const ownWords: ToolWords = {
  question: askTool.name,
  name: (name) => name,
  call: (name, input) => ({ name, input }),
  ownInput: (_, input) => input,
}
