/** Whether a host matches a rule: `example.com`, or `*` for a label, as in `*.example.com` and `api.*.example.com`. */
export function matchesDomain(spec: string, host: string): boolean {
  const labels = labelsOf(spec)
  const given = labelsOf(host)
  if (spec === '*') return true
  if (labels[0] === '*' && given.length > labels.length)
    return matchesLabels(labels.slice(1), given.slice(1 - labels.length))
  return matchesLabels(labels, given)
}

function labelsOf(host: string): readonly string[] {
  return host.toLowerCase().replace(/\.$/, '').split('.')
}

function matchesLabels(labels: readonly string[], given: readonly string[]): boolean {
  return labels.length === given.length && labels.every((label, i) => label === '*' || label === given[i])
}
