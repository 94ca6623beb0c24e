import { isJsonObject } from '../json-value.ts'
import type { ToolResult } from '../tool.ts'

/** Whether the permission check refused a call. */
export function isDenied({ isError, details }: Pick<ToolResult, 'isError' | 'details'>): boolean {
  return isError && isJsonObject(details) && details['permission'] === 'denied'
}
