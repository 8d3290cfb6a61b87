/** Figures about the running server in Prometheus' text format 0.0.4: counters, gauges and histograms with few labels. */

/** How the values of several processes make one. */
type Together = 'sum' | 'max' | 'min'

/** One figure as it stands, as plain data. */
export interface Series {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  together: Together
  /** `name{label="value"}` and the number behind it. */
  samples: [sample: string, value: number][]
}

interface Figure {
  /** `values` are those of the labels, in their order. */
  add(by: number, ...values: string[]): void
  set(to: number, ...values: string[]): void
}

interface Histogram {
  observe(value: number, ...values: string[]): void
}

export interface Metrics {
  /** What only grows. */
  counter(name: string, help: string, labels?: readonly string[]): Figure
  /** `together`: what the gauges of several processes are as one, by default their sum. */
  gauge(name: string, help: string, labels?: readonly string[], together?: Together): Figure
  histogram(name: string, help: string, buckets: readonly number[], labels: readonly string[]): Histogram
  /** Has something look when the figures are asked for. What it throws leaves its figures as they are. */
  beforeText(look: () => void | Promise<void>): void
  /** Has all look, and gives the figures back as they stand. */
  read(): Promise<Series[]>
  /** What /metrics answers. */
  text(): Promise<string>
}

const escapeLabel = (value: string): string =>
  value.replace(/[\\"\n]/g, found => (found === '\n' ? '\\n' : `\\${found}`))

/** `{method="GET",le="0.1"}`, nothing where there are no labels. */
function labelText(names: readonly string[], values: readonly string[]): string {
  if (names.length === 0) return ''
  return `{${names.map((name, index) => `${name}="${escapeLabel(values[index] ?? '')}"`).join(',')}}`
}

/** No label can hold it. */
const separator = '\0'
const keyOf = (values: readonly string[]): string => values.join(separator)
const valuesOf = (key: string): string[] => key.split(separator)

interface Held extends Omit<Series, 'samples'> {
  samples(): Series['samples']
}

function openFigure(name: string, labels: readonly string[]): Figure & Pick<Held, 'samples'> {
  // What has no labels is there from the start: a query then knows 0 from unknown.
  const held = new Map<string, number>(labels.length === 0 ? [['', 0]] : [])
  return {
    add: (by, ...values) => {
      const key = keyOf(values)
      held.set(key, (held.get(key) ?? 0) + by)
    },
    set: (to, ...values) => {
      held.set(keyOf(values), to)
    },
    samples: () => [...held].map(([key, value]) => [`${name}${labelText(labels, valuesOf(key))}`, value]),
  }
}

function openHistogram(name: string, buckets: readonly number[], labels: readonly string[]) {
  const held = new Map<string, { counts: number[]; sum: number; count: number }>()
  const bounds = [...buckets.map(String), '+Inf']
  type Entry = { counts: number[]; sum: number; count: number }
  const samplesOf = (key: string, { counts, sum, count }: Entry): Series['samples'] => {
    const values = valuesOf(key)
    let below = 0
    const samples = bounds.map((bound, index): [string, number] => {
      below += counts[index] ?? 0
      return [`${name}_bucket${labelText([...labels, 'le'], [...values, bound])}`, below]
    })
    const own = labelText(labels, values)
    return [...samples, [`${name}_sum${own}`, sum], [`${name}_count${own}`, count]]
  }
  return {
    observe: (value: number, ...values: string[]) => {
      const key = keyOf(values)
      const entry = held.get(key) ?? { counts: bounds.map(() => 0), sum: 0, count: 0 }
      held.set(key, entry)
      const index = buckets.findIndex(bound => value <= bound)
      const at = index < 0 ? buckets.length : index
      entry.counts[at] = (entry.counts[at] ?? 0) + 1
      entry.sum += value
      entry.count += 1
    },
    samples: () => [...held].flatMap(([key, entry]) => samplesOf(key, entry)),
  }
}

/** The text of some figures. */
export function textOf(list: readonly Series[]): string {
  const texts = list.map(({ name, help, type, samples }) =>
    [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(([sample, value]) => `${sample} ${value}`),
    ].join('\n'),
  )
  return `${texts.join('\n')}\n`
}

/** Opens the figures of one process. */
export function openMetrics(): Metrics {
  const all: Held[] = []
  const looks: (() => void | Promise<void>)[] = []
  const addFigure =
    (type: 'counter' | 'gauge') =>
    (name: string, help: string, labels: readonly string[] = [], together: Together = 'sum'): Figure => {
      const figure = openFigure(name, labels)
      all.push({ name, help, type, together, samples: figure.samples })
      return figure
    }
  const read = async () => {
    await Promise.allSettled(looks.map(async look => look()))
    return all.map(held => ({ ...held, samples: held.samples() }))
  }
  return {
    counter: addFigure('counter'),
    gauge: addFigure('gauge'),
    histogram: (name, help, buckets, labels) => {
      const histogram = openHistogram(name, buckets, labels)
      all.push({ name, help, type: 'histogram', together: 'sum', samples: histogram.samples })
      return histogram
    },
    beforeText: look => {
      looks.push(look)
    },
    read,
    text: async () => textOf(await read()),
  }
}
