/** The demo's content for each user: folders with files, up to 60 days old, and their tags and other marks. */
import { drawLogo, drawPdf, drawPhoto, playChime } from './content.ts'

export interface Sample {
  /** Path from the root, including the folders. */
  path: string
  /** How many days ago it was last changed. */
  age: number
  tags?: readonly string[]
  isFavorite?: true
  isTrashed?: true
  /** Pending, unless its owner may approve files. */
  isPending?: true
  /** Undefined for a folder. */
  content?: () => Buffer | string | Promise<Buffer>
}

export const sampleTags: Readonly<Record<string, string>> = {
  Press: '#3B82F6',
  Final: '#10B981',
  Website: '#6366F1',
  Contract: '#8B5CF6',
  Urgent: '#EF4444',
}

const welcome = `# Welcome to filestore

This is a demo: look around, change things, break things.

- Drop files anywhere on the page to upload them, whole folders too.
- Press ? for the keyboard shortcuts, / to search.
- Open a picture, a PDF or a text to preview it. Star what you need often, tag what belongs together.
`

const notes = `# Kick-off: notes and open questions

- Launch: 12 January 2027
- Photos: from the harbour, not stock
- Shop: second step

Open: who writes the texts, and who translates them?
`

const budget = `Item,Hours,Rate,Total
Concept,40,95,3800
Design,120,90,10800
Development,260,95,24700
`

const plan = `# Summer Fair

- Saturday, 19 June, from noon
- Everybody of the team may add and change what is here
- Posters are due in May
`

const stalls = `Stall,Who,Cost
Cake,Ada,120
Music,Jana,480
Lanterns,Jana,95
`

const script = `-- The page views of the old website, by month
CREATE TABLE page_views (month TEXT PRIMARY KEY, views INTEGER NOT NULL);
INSERT INTO page_views VALUES ('2026-09', 21877), ('2026-10', 24012);
`

export const relaunch = 'Projects/Website Relaunch 2026'

/** The team folder of both accounts, and who puts what there. */
export const team = 'Summer Fair'

export const teamSamples: readonly Sample[] = [
  { path: `${team}/Posters`, age: 4 },
  { path: `${team}/Plan.md`, age: 1, content: () => plan },
  { path: `${team}/Posters/harbour at noon.jpg`, age: 4, content: () => drawPhoto(45) },
]

export const memberSamples: readonly Sample[] = [
  { path: `${team}/Stalls and costs.csv`, age: 0, content: () => stalls },
  { path: `${team}/Posters/lanterns.jpg`, age: 2, content: () => drawPhoto(290) },
]

export const samples: readonly Sample[] = [
  { path: 'Accounting', age: 20 },
  { path: 'Photos', age: 2, isFavorite: true },
  { path: 'Projects', age: 1 },
  { path: relaunch, age: 0 },
  { path: `${relaunch}/Brand Assets`, age: 1 },
  { path: `${relaunch}/Contracts & Invoices`, age: 3, isFavorite: true },
  { path: 'Recordings', age: 9 },
  { path: 'Welcome to filestore.md', age: 0, isFavorite: true, content: () => welcome },
  { path: `${relaunch}/Kick-off – notes & open questions.md`, age: 0, tags: ['Website'], content: () => notes },
  {
    path: `${relaunch}/Offer Müller GmbH (signed).pdf`,
    age: 1,
    tags: ['Contract', 'Final'],
    isFavorite: true,
    content: () => drawPdf('Offer: Website Relaunch 2026', 12),
  },
  { path: `${relaunch}/budget-forecast-2027.csv`, age: 1, tags: ['Urgent'], content: () => budget },
  { path: `${relaunch}/coastline-sunrise.jpg`, age: 2, tags: ['Press', 'Final'], content: () => drawPhoto(20) },
  { path: `${relaunch}/page-views-by-month.sql`, age: 6, content: () => script },
  { path: `${relaunch}/Brand Assets/logo.svg`, age: 1, tags: ['Website'], content: drawLogo },
  { path: `${relaunch}/Contracts & Invoices/Invoice.pdf`, age: 3, content: () => drawPdf('Invoice', 1) },
  { path: 'Photos/Karwendel – looking south.jpg', age: 2, isFavorite: true, content: () => drawPhoto(210) },
  { path: 'Photos/dunes at sunset.jpg', age: 8, content: () => drawPhoto(340) },
  { path: 'Photos/fog over the forest.jpg', age: 12, content: () => drawPhoto(130) },
  { path: 'Photos/northern lights.jpg', age: 0, isPending: true, content: () => drawPhoto(165) },
  { path: 'Recordings/three bells.wav', age: 9, content: playChime },
  {
    path: 'Accounting/Travel costs – a report with a rather long title (final) (2).pdf',
    age: 0,
    isPending: true,
    content: () => drawPdf('Travel costs', 3),
  },
  { path: 'old notes.txt', age: 60, isTrashed: true, content: () => 'Nobody needs these any more.\n' },
  { path: 'Photos/blurred.jpg', age: 45, isTrashed: true, content: () => drawPhoto(90) },
]
