import { appendFileSync } from 'node:fs'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'

// A server whose tool answers for the user. It notes what it is asked in ASKED, and answers by what a command says.

serveStdio(() => {
  const server = new McpServer({ name: 'approver', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.registerTool(
    'approve',
    {
      description: 'Answers when a permission is needed',
      inputSchema: z.object({ tool_name: z.string(), input: z.any(), tool_use_id: z.string().optional() }),
    },
    ({ tool_name, input }) => {
      appendFileSync(process.env.ASKED, `${JSON.stringify({ tool_name, input })}\n`)
      return { content: [{ type: 'text', text: answerTo(input) }] }
    },
  )
  return server
})

function answerTo(input) {
  const { command = '' } = input
  if (command.includes('mumble')) return 'well'
  if (command.includes('change')) return allow({ ...input, command: 'touch changed' })
  if (command.includes('escape')) return allow({ ...input, command: 'rm forbidden' })
  if (command.includes('refuse')) return JSON.stringify({ behavior: 'deny', message: 'not on Fridays' })
  return allow(input)
}

function allow(updatedInput) {
  return JSON.stringify({ behavior: 'allow', updatedInput })
}
