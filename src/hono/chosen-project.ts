import { invalidField, PipeError } from '../error.ts'
import type { Backend, ServedProject } from './backend.ts'

/** Returns the project of this name. Throws `invalid` if there is none. */
export function projectNamed({ projects }: Pick<Backend, 'projects'>, name: string): ServedProject {
  const found = projects.find((project) => project.name === name)
  if (found !== undefined) return found
  throw invalidField('project', `is none of ${projects.map((project) => project.name).join(', ')}`)
}

/** Returns the project of this name, by default the first one. Throws as `projectNamed` does. */
export function chosenProject(backend: Pick<Backend, 'projects'>, name?: string): ServedProject {
  const [first] = backend.projects
  if (name !== undefined) return projectNamed(backend, name)
  if (first === undefined) throw new PipeError('internal', 'the server has no project')
  return first
}
