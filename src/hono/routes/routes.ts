import type { AppParts } from '../app-parts.ts'
import { canonicalRoute } from '../chat/canonical-route.ts'
import { chatRoute } from '../chat/chat-route.ts'
import { modelRoutes } from '../chat/model-routes.ts'
import { messagesRoutes } from '../messages/messages-routes.ts'
import { responsesRoute } from '../responses/responses-route.ts'
import type { Route } from '../route.ts'
import { agentRoutes } from './agent-routes.ts'
import { elfRoutes } from './elf-routes.ts'
import { healthRoutes } from './health.ts'
import { listEvents } from './list-events.ts'
import { pageRoutes } from './page-routes.ts'
import { projectRoutes } from './project-routes.ts'
import { commandRoute } from './session-commands.ts'
import { sessionEvents } from './session-events.ts'
import { sessionRoutes } from './session-routes.ts'
import { taskRoutes } from './task-routes.ts'

/** The routes of the server, in the order in which they are described. */
export function allRoutes(parts: AppParts): readonly Route[] {
  return [
    ...healthRoutes(parts),
    chatRoute(parts),
    responsesRoute(parts),
    ...messagesRoutes(parts),
    canonicalRoute(parts),
    ...modelRoutes(parts),
    ...projectRoutes(parts),
    ...sessionRoutes(parts),
    sessionEvents(parts),
    commandRoute(parts),
    ...elfRoutes(parts),
    ...agentRoutes(parts),
    ...taskRoutes(parts),
    listEvents(parts),
    ...(parts.page === undefined ? [] : pageRoutes(parts.page)),
  ]
}
