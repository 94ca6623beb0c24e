import type { ListedResource } from '../lists/listed-resource.ts'
import type { ManagedServer } from '../managed-server.ts'
import { completedValues } from './completed-values.ts'
import { literalStart, openPlace } from './uri-template.ts'

/** A resource to choose. */
export interface FoundResource extends ListedResource {
  /** Whether the URI goes on: it is the beginning of a template. */
  readonly isOpen: boolean
}

/** Lists the resources of a server, the beginnings of its templates, and what it offers for the place that the URI has come to. Throws as `ManagedServer.resources`. */
export async function findResources(
  server: ManagedServer,
  typed: string,
  signal: AbortSignal,
): Promise<readonly FoundResource[]> {
  const { resources, templates } = await server.resources(signal)
  const completed = await Promise.all(templates.map((one) => completions(server, { ...one, typed }, signal)))
  const begun = templates.map(({ template, about }) => {
    const uri = literalStart(template)
    return { uri, about: `${template} ${about}`, isOpen: uri !== template }
  })
  return [...completed.flat(), ...resources.map((one) => ({ ...one, isOpen: false })), ...begun]
}

async function completions(
  server: ManagedServer,
  { template, about, typed }: { readonly template: string; readonly about: string; readonly typed: string },
  signal: AbortSignal,
): Promise<readonly FoundResource[]> {
  const place = openPlace(template, typed)
  if (place === undefined) return []
  const { name, value, before, filled } = place
  const ref = { type: 'ref/resource', uri: template } as const
  const texts = await completedValues(server, { ref, name, value, filled }, signal)
  const isLast = template.endsWith(`{${name}}`) || template.endsWith(`{+${name}}`)
  return texts
    .filter((text) => /^[!-~\u00a1-\uffff]{1,500}$/.test(text))
    .map((text) => ({ uri: `${before}${text}`, about, isOpen: !isLast }))
}
