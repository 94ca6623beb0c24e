import { isJsonObject, type JsonObject, type JsonValue, textField } from '../../json-value.ts'
import type { ServerTool } from '../lists/seen-tools.ts'
import type { OfferedResources } from '../lists/server-lists.ts'
import type { ManagedServer } from '../managed-server.ts'

/** Resources and templates that a list shows the model. */
const mostListed = 200

/** The tool that stands for the resources of a server. It is judged, found and named like the server's own. */
export const resourceTool: ServerTool = {
  name: 'read_resource',
  description: 'Reads a resource of this server by its URI. Without one it lists the resources.',
  schema: { type: 'object', properties: { uri: { type: 'string' } } },
  saysReadOnly: true,
  isChanged: false,
}

/** Whether a server's resources are offered by it: not in the place of a tool of the server. */
export function offersResources(
  { server, hasResources }: ManagedServer,
  tools: readonly ServerTool[],
): boolean {
  const { name } = resourceTool
  const { only, except = [] } = server
  const isAllowed = (only?.includes(name) ?? true) && !except.includes(name)
  return hasResources && isAllowed && !tools.some((one) => one.name === name)
}

/** Reads a resource, or lists them. Returns the blocks of a result. Throws as the server does. */
export async function readResources(
  server: ManagedServer,
  args: JsonObject,
  signal: AbortSignal,
): Promise<readonly JsonValue[]> {
  const uri = textField(args, 'uri')
  if (uri === undefined || uri === '') return [{ type: 'text', text: listOf(await server.resources(signal)) }]
  return resourceBlocks(await server.readResource(uri, signal))
}

/** Returns the contents of a resource as blocks of a result. */
export function resourceBlocks(result: unknown): readonly JsonValue[] {
  const contents = isJsonObject(result) && Array.isArray(result['contents']) ? result['contents'] : []
  return contents.map((resource: JsonValue) => ({ type: 'resource', resource }))
}

function listOf({ resources, templates }: OfferedResources): string {
  const lines = [
    ...resources.map(({ uri, about }) => `${uri} ${about}`),
    ...templates.map(({ template, about }) => `${template} ${about} (fill in the braces)`),
  ]
  const more = lines.length - mostListed
  return `${lines.slice(0, mostListed).join('\n') || '(no resources)'}${more > 0 ? `\nand ${more} more` : ''}`
}
