/** Complete example programs in four languages. */
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { CodeBlock } from './code-block.tsx'
import styles from './code-examples.module.css'
import prose from './prose.module.css'
import { Section, Text } from './prose.tsx'
import { environmentFor, examples, howToRun, type Language, languages, type Part } from './reference.ts'
import { serverAddress } from './server-address.ts'

export function CodeExamples() {
  const [language, setLanguage] = useState<Language>('bash')
  const { saveAs, run } = howToRun(language)
  return (
    <div className={prose.page}>
      <SegmentedControl
        className={styles.languages}
        aria-label="Language"
        data={languages.map(({ key, label }) => ({ value: key, label }))}
        value={language}
        onChange={setLanguage}
      />
      <Section title="Before you begin">
        <Text>The examples find the server and your key in the environment:</Text>
        <CodeBlock label="Environment" code={environmentFor(serverAddress)} />
        <Text>{`Save an example as \`${saveAs}\` and run it with \`${run}\`.`}</Text>
      </Section>
      {examples.map(({ title, parts }) => (
        <Section key={title} title={title}>
          {parts.map(part => (
            <ExamplePart
              key={part.kind === 'code' ? part.language : part.text}
              title={title}
              part={part}
              language={language}
            />
          ))}
        </Section>
      ))}
    </div>
  )
}

/** Shows prose and responses for every language, code only for its own. */
function ExamplePart({ title, part, language }: { title: string; part: Part; language: Language }) {
  if (part.kind === 'prose') return <Text>{part.text}</Text>
  if (part.language === 'json') return <CodeBlock label={`Answer: ${title}`} code={part.code} />
  return part.language === language ? <CodeBlock label={`Example: ${title}`} code={part.code} /> : null
}
