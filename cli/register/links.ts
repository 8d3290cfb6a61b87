/** Commands for links, with which anybody gets at a file or folder without an account. */
import { type Command, Option } from 'commander'
import { parseCount, parseSize, parseUntil } from '../../terminal/options.ts'
import type { CreateLinkOptions, EditLinkOptions, LinksOptions, RevokeLinkOptions } from '../commands/links.ts'
import { addCommand, helpLines, pathHelp } from './command.ts'

const linkHelp = 'id of the link, or its address'
const untilHelp = 'days from now (30d), a date (YYYY-MM-DD), or never'
const loadLinks = () => import('../commands/links.ts')

/** An option that `none` takes away. The limit is in an object, because commander makes '' of null. */
const limitOption = (flags: string, summary: string, parse: (text: string) => number): Option =>
  new Option(flags, `${summary}, or none`).argParser(text => ({ limit: text === 'none' ? null : parse(text) }))

function addMaking(share: Command): void {
  addCommand(share, 'link', 'make a link and print its address, which works without an account')
    .argument('<path>', 'file or folder on the server')
    .addOption(new Option('--upload', 'visitors only add files, and see nothing').conflicts('both'))
    .option('--both', 'visitors see what is there, and add files')
    .option('--password-stdin', 'read a password for it from standard input')
    .option('--until <time>', untilHelp, parseUntil)
    .option('--max-downloads <count>', 'after so many downloads it is used up', parseCount)
    .option('--max-bytes <size>', 'what may be uploaded in all: bytes, or with KB, MB, GB', parseSize)
    .option('--label <text>', 'what the link is for; visitors do not see it')
    .option('--ask-name', 'uploaders give their name, which begins the names of their files')
    .addHelpText(
      'after',
      helpLines(
        [
          'share link /Docs/a.pdf --until 30d',
          'share link /Homework --upload --ask-name --label "Class 7b"',
          'share link /Docs --password-stdin < password.txt',
        ],
        pathHelp,
      ),
    )
    .action(async (path: string, options: CreateLinkOptions) => {
      await (await loadLinks()).createLink(path, options)
    })
}

function addEditing(share: Command): void {
  addCommand(share, 'edit-link', 'change, pause or extend a link')
    .argument('<link>', linkHelp)
    .addOption(new Option('--pause', 'stop it from working, until it is resumed').conflicts('resume'))
    .option('--resume', 'let it work again')
    .addOption(new Option('--level <level>', 'what visitors may do').choices(['view', 'upload', 'both']))
    .option('--until <time>', untilHelp, parseUntil)
    .addOption(new Option('--password-stdin', 'read a new password from standard input').conflicts('password'))
    .option('--no-password', 'take the password away')
    .addOption(limitOption('--max-downloads <count>', 'after so many downloads it is used up', parseCount))
    .addOption(limitOption('--max-bytes <size>', 'what may be uploaded in all', parseSize))
    .option('--label <text>', "what the link is for; '' for nothing")
    .option('--ask-name', 'uploaders give their name')
    .option('--no-ask-name', 'uploaders give no name')
    .option('--take-over', 'answer for it in place of who made it')
    .addHelpText('after', helpLines(['share edit-link 7 --pause', 'share edit-link 7 --resume --until 30d']))
    .action(async (link: string, options: EditLinkOptions) => {
      await (await loadLinks()).editLink(link, options)
    })
}

export function addLinkCommands(share: Command): void {
  addMaking(share)
  addCommand(share, 'links', 'list your links, or the links of a file or folder with their addresses')
    .argument('[path]', 'file or folder on the server')
    .addHelpText('after', helpLines(['share links', 'share links /Docs'], pathHelp))
    .action(async (path: string | undefined, options: LinksOptions) => {
      await (await loadLinks()).listLinks(path, options)
    })
  addEditing(share)
  addCommand(share, 'revoke', 'end links for good; nothing works with their addresses from then on')
    .argument('<link...>', linkHelp)
    .option('--yes', 'do not ask')
    .addHelpText('after', helpLines(['share revoke 7', 'share revoke --yes 7 8']))
    .action(async (links: string[], options: RevokeLinkOptions) => {
      await (await loadLinks()).revokeLinks(links, options)
    })
}
