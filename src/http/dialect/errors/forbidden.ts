import type { ErrorCode } from '../../../error.ts'
import { shown } from './quote.ts'
import type { Asked } from './reported-error.ts'

/** Tells apart the causes of a 403 other than the key. */
export interface Forbidden {
  readonly code: ErrorCode
  /** The beginning of the error's message. */
  readonly what: string
  /** Retrying cannot help, although it may after other errors of this code. */
  readonly isLasting?: true
}

const moderation =
  /moderat|flagged|content[_ -]?(?:policy|filter)|safety|inappropriate|harmful|guardrail|violat|not allowed by (?:our|the) polic/i
const rate = /rate[_ -]?limit|too many requests|throttl|quota|(?:requests|tokens)[_ ]per[_ ]/i
const place = /\b(?:country|region|territory|countries|regions)\b/i
const access =
  /access|permission|allow|authori[sz]|entitle|enabled?\b|availab|subscri|\btier\b|gated|restricted|plan\b/i

/** Tells apart what servers mean by 403. `undefined` if it is the key. `message` is the server's, `said` holds its codes too. */
export function readForbidden(message: string, said: string, asked: Asked): Forbidden | undefined {
  const { provider, model, url, via } = asked
  if (message.trimStart().startsWith('<')) {
    return via !== undefined && url.startsWith('http:')
      ? { code: 'network', what: `${via} refused to pass the request on`, isLasting: true }
      : {
          code: 'protocol',
          what: `a proxy or firewall in front of ${shown(url)} refused the request, not the key`,
        }
  }
  if (moderation.test(said))
    return { code: 'refused', what: `${provider} refused the content of the request` }
  if (rate.test(said)) return { code: 'rate_limited', what: `${provider} limits the request rate` }
  if (place.test(said)) return { code: 'config', what: `${provider} does not serve this part of the world` }
  if (/\bmodels?\b/i.test(said) && access.test(said))
    return { code: 'not_found', what: `this key of ${provider} may not use the model "${model}"` }
  return undefined
}
