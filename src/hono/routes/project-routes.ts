import * as z from 'zod'
import { PipeError } from '../../error.ts'
import type { AppParts } from '../app-parts.ts'
import type { Backend, ServedProject } from '../backend.ts'
import { defineRoute, nothing, type Route } from '../route.ts'

/** The name of a project, in a query or a body. */
export const projectName = z.string().min(1)

/** The folders that the server works in. */
export function projectRoutes({ backend }: Pick<AppParts, 'backend'>): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/v1/projects',
      operation: 'listProjects',
      summary: 'The folders that the server works in; the first is the default',
      query: nothing,
      body: nothing,
      answers: {
        200: {
          description: 'The projects.',
          schema: z.object({ projects: z.array(z.object({ name: z.string(), cwd: z.string() })) }),
        },
      },
      handle: async () =>
        Response.json({ projects: backend.projects.map(({ name, cwd }) => ({ name, cwd })) }),
    }),
  ]
}

/** Returns the project of this name. Throws `invalid` if there is none. */
export function projectNamed({ projects }: Pick<Backend, 'projects'>, name: string): ServedProject {
  const found = projects.find((project) => project.name === name)
  if (found !== undefined) return found
  const reason = `is none of ${projects.map((project) => project.name).join(', ')}`
  throw new PipeError('invalid', `project: ${reason}`, { details: { field: 'project', reason } })
}

/** Returns the project of this name, or the default one. Throws as `findProject` does. */
export function chosenProject(backend: Pick<Backend, 'projects'>, name: string | undefined): ServedProject {
  const [first] = backend.projects
  if (name !== undefined) return projectNamed(backend, name)
  if (first === undefined) throw new PipeError('internal', 'the server has no project')
  return first
}
