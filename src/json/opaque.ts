import * as z from 'zod'
import type { JsonValue } from '../json-value.ts'
import { isPresent } from '../wire/json-check.ts'

/** Any JSON value, passed through unchanged. */
export const json = z.custom<JsonValue>(isPresent)
