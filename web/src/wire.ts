// Written by tools/wire_types.py from src/kibitz/web/wire.py: do not edit.

export const VERSION = 1

export const PICTURES = 24

/** It is saved. `n`: what it has become. */
export interface Ack {
  type: 'ack'
  cid: string
  n: number
}

/** Plays an action. `turn` is that of the view it was chosen in. The same `cid` again is acknowledged again. */
export interface Act {
  type: 'act'
  cid: string
  turn: number
  action: number
}

/** A tournament of agents, the best first. Ratings of different ones cannot be compared. */
export interface AgentBoard {
  name: string
  title: string
  game: string
  options: Record<string, boolean | number | string>
  games: number
  seed: number
  kibitz: string
  agents: AgentRating[]
  cycles: string[][]
}

/** An agent's line in a tournament. `plays` is the agent behind a level; `share` is of games. */
export interface AgentRating {
  name: string
  plays: string
  cheats: boolean
  anchor: boolean
  rating: Figure
  games: number
  share: Figure
  microseconds: number | null
}

/** Where a level stands, always. */
export interface Anchor {
  level: string
  rating: number
}

/** Goes on from there. `seat`: where the person sits; the seat to act, or whose view it is, if left out. `levels`:
 * of the bots, by seat (the person's own is that of the bot which plays while the person is away), or one for all. */
export interface AskPlayOn {
  position: Record<string, unknown> | null
  record: Record<string, unknown> | null
  moves: number | null
  seat: number | null
  levels: string[] | null
}

/** A position of a state or of a view, or a new deal, of which the seat to act sees its own cards. `play`: the text
 * of a move that is made first; of another seat, one that is possible in some world. */
export interface AskPosition {
  position: Record<string, unknown> | null
  new: NewGame | null
  play: string | null
}

/** `seats`: whose decisions; those of people if left out, or all if no person played. */
export interface AskReview {
  record: Record<string, unknown>
  seats?: number[] | null
  effort?: 'quick' | 'usual' | 'deep'
}

/** `agent`: the game's adviser, or a level. `effort`: a quarter of its budget, the budget, or eight of them. */
export interface AskThink {
  position?: Record<string, unknown> | null
  record?: Record<string, unknown> | null
  moves?: number | null
  agent?: string
  effort?: 'quick' | 'usual' | 'deep'
}

/** A position of a state or of a view (of a state, only what the seat to act may know is looked at); or a record of
 * a game, after its first `moves`, or all of them. */
export interface Asked {
  position?: Record<string, unknown> | null
  record?: Record<string, unknown> | null
  moves?: number | null
}

/** What led to a view: `sync` where the client asked, or came back; `move` is None where it is hidden from it. */
export interface Cause {
  kind: 'sync' | 'deal' | 'move'
  by: 'person' | 'bot' | 'clock' | null
  seat: number | null
  move: Move | null
}

/** A legal action. `touches`: the objects on the table that it is about; tapping them chooses it. */
export interface Choice {
  action: number
  text: string
  touches: string[]
}

/** Time of the seat to act; a table with one person has none. */
export interface Clock {
  seat: number
  left_ms: number
  limit_ms: number
}

/** Why something was refused. */
export type Code =
  | 'bad_message'
  | 'too_large'
  | 'too_fast'
  | 'version'
  | 'hello_first'
  | 'bad_token'
  | 'banned'
  | 'no_table'
  | 'no_game'
  | 'bad_options'
  | 'no_level'
  | 'bad_position'
  | 'full'
  | 'not_seated'
  | 'not_your_turn'
  | 'old_turn'
  | 'illegal'
  | 'taken'
  | 'has_seen'
  | 'not_host'
  | 'not_now'
  | 'no_watching'
  | 'no_thoughts'
  | 'not_played'
  | 'muted'
  | 'busy'
  | 'storage'
  | 'closing'
  | 'closed'

/** `known`: over the worlds that the seat could imagine; `real`: in the cards as they lay. Never merged. */
export interface Decision {
  move: number
  seat: number
  action: number
  text: string
  instead: string
  choices: number
  verdict: 'good' | 'mistake' | 'unlucky' | 'lucky' | 'unclear'
  known: ReviewColumn | null
  real: ReviewColumn | null
  reason: string
  why: Why | null
  unit: Unit | null
}

/** A position that can be, or the fault. `position` is complete; `whole`: it leaves nothing unknown. `shown` is what
 * `seat` sees of it. `choices`: of the seat to act, empty when the game is over; where its hand is unknown, what is
 * possible in some worlds. `deck`: how many there are of each card, empty for boards. */
export interface Described {
  game: string
  position: Record<string, unknown> | null
  shown: Record<string, unknown> | null
  whole: boolean
  seat: number
  to_act: number | null
  players: number
  teams: number[]
  text: string
  choices: Choice[]
  move: Move | null
  deck: Record<string, number>
  fault: Fault | null
}

/** What cannot be. `place`: the member of the position, with its index where it has several (`hands.0`), empty where
 * it is the whole. `code` and `params` for a page, `detail` in words. */
export interface Fault {
  place: string
  code: string
  params: Record<string, string>
  detail: string
}

/** An estimate with its 95% interval; no mean where there is nothing to take it from. */
export interface Figure {
  mean: number | null
  low: number
  high: number
}

export interface Gallery {
  games: Shelf[]
}

/** `series`: lengths to choose from. `kind` of the painter: the game's name, or `gdl` for rulesheets. */
export interface GameInfo {
  game: string
  kind: string
  title: string
  least_players: number
  most_players: number
  players: number
  hidden: boolean
  options: OptionInfo[]
  series: number[]
  levels: string[]
  level: string
}

export interface GameProblems {
  game: string
  problems: PositionProblem[]
}

export interface Games {
  games: GameInfo[]
  clocks: number[]
  phrases: string[]
  pictures: number
}

/** The rules of a game for people, in Markdown. */
export interface Guide {
  game: string
  language: string
  text: string
}

/** The first message. `token`: the person's or the seat's; without one the client watches.
 * `have`: the last `n` that the client has, if it comes back. */
export interface Hello {
  type: 'hello'
  version: number
  table: string
  token?: string | null
  have?: number | null
}

/** `token` proves who asks: `Authorization: Bearer TOKEN`, and `hello.token`. */
export interface Identity {
  person: Person
  token: string
}

/** How strong the agents are that come with Kibitz, as measured when it was made; see docs/leaderboard.md. */
export interface Leaderboard {
  games: AgentBoard[]
}

/** What the seat to act may do. `text` is its view in words. */
export interface Legal {
  game: string
  seat: number
  text: string
  choices: Choice[]
}

/** Tables with an open seat first, then those that can be watched. */
export interface Lobby {
  tables: TableInfo[]
}

/** An action that was played. `text` is the game's own name of it (kibitz.Game.text). */
export interface Move {
  seat: number
  action: number
  text: string
}

/** A named deal and who has played it. Results are shown to those who have, or who have looked at it. */
export interface Named {
  id: string
  name: string
  game: string
  options: Record<string, unknown>
  players: number
  level: string | null
  played: boolean
  begun: string | null
  results: Result[]
}

/** A deal that others can play, too. */
export interface NamedDeal {
  id: string
  name: string
}

/** A game of the table, to be dealt. */
export interface NewGame {
  game: string
  players: number | null
  options: Record<string, boolean | number | string>
}

export interface NewPerson {
  name: string
  picture?: number
}

/** A seat of a new table: `me` exactly once or never, `open` for people, `bot` with a level. */
export interface NewSeat {
  who: 'me' | 'open' | 'bot'
  level?: string | null
}

/** Without `seats`: the person first, bots of `level` on the others. A table without an open seat begins at once.
 *
 * `clock_s` None: decisions take as long as they take. `named`: the cards are those of everybody who gives this name
 * to the same game, options and level; such a deal is played alone against bots, not rated, and nobody may watch. */
export interface NewTable {
  game: string
  players?: number | null
  options?: Record<string, boolean | number | string>
  series?: number | null
  seats?: NewSeat[] | null
  level?: string | null
  clock_s?: number | null
  public?: boolean
  watching?: boolean
  mode?: 'casual' | 'teaching' | 'rated'
  named?: string | null
}

/** All that the seat may know. `view.choices` are the legal actions with their texts, if it is its turn;
 * `view.history` has all moves that it knows of. `over`: the deal has ended. `illegal`: answers that were refused. */
export interface Observation {
  table: TableInfo
  seat: number | null
  view: View | null
  over: Over | null
  illegal: number
}

/** Of a legal action. `value` and `loss` are payoffs, their errors standard errors; `worth` and `cost` say the same
 * in the game's unit, ± half of a 95% interval. `win`: the chance to win, a draw counting half; None where the game
 * has no such figure. Group 0 is about as good as the best; `worse`: the loss lies beyond its error. */
export interface Opinion {
  action: number
  text: string
  value: number | null
  error: number | null
  worth: string
  win: number | null
  win_error: number | null
  loss: number | null
  loss_error: number | null
  cost: string
  group: number
  worse: boolean
}

/** A switch or a choice that a table of the game can be made with. */
export interface OptionInfo {
  name: string
  default: boolean | number | string
  allowed: (boolean | number | string)[]
}

/** A deal has ended: everything is open. Lists are by seat.
 *
 * SHA-256 of `commitment`, which is the text SEED:SALT, is the `hash` of the views (kibitz.record.commitment). */
export interface Over {
  type: 'over'
  n: number
  deal: number
  payoffs: number[]
  winners: number[]
  gained: number[]
  points: number[]
  held: number
  resigned: number | null
  series_over: boolean
  series_winners: number[]
  seed: string
  salt: string
  hash: string
  commitment: string
  dealt: Record<string, unknown> | null
  position: Record<string, unknown> | null
}

/** A finished deal of a person. */
export interface OwnGame {
  table: string
  deal: number
  game: string
  players: number
  seat: number
  payoff: number
  won: boolean
  drawn: boolean
  mode: 'casual' | 'teaching' | 'rated' | 'practice'
  named: NamedDeal | null
  finished: number
}

export interface OwnGames {
  games: OwnGame[]
}

/** Who sits where, and the score. */
export interface People {
  type: 'people'
  n: number
  status: 'waiting' | 'playing' | 'over' | 'closed'
  deal: number
  thoughts: boolean
  seats: SeatInfo[]
  watchers: number
}

export interface Person {
  id: string
  name: string
  picture: number
}

/** Words that bring an identity back. The server keeps a hash only: it is shown once. */
export interface Phrase {
  phrase: string
}

export interface Ping {
  type: 'ping'
}

/** An action by its id or by its text, one of `view.choices`. `turn`: only if it is still that turn. */
export interface Play {
  action?: number | null
  text?: string | null
  turn?: number | null
}

export interface Pong {
  type: 'pong'
}

/** A position as the seat to act sees it, and what is to be found: the first of `moves`, and no other. `found`: by
 * level, the share of its answers that were right. `exact`: the second judgement was. */
export interface PositionProblem {
  id: string
  position: Record<string, unknown>
  seat: number
  players: number
  teams: number[]
  text: string
  history: Move[]
  choices: Choice[]
  moves: ProblemMove[]
  reason: string
  unit: Unit
  difficulty: number
  found: Record<string, number>
  exact: boolean
}

/** What every refused request gets. `detail` says what is wrong with what a program sent. */
export interface Problem {
  code: Code
  detail: string | null
}

/** As in `Opinion`. */
export interface ProblemMove {
  text: string
  value: number | null
  error: number | null
  worth: string
  win: number | null
  win_error: number | null
  loss: number
  loss_error: number | null
  cost: string
}

/** A person's, with the bounds of a 95% interval. Boards are sorted by `low`. */
export interface Rating {
  person: Person
  rating: number
  low: number
  high: number
  games: number
}

/** The leaderboard of a game: people by openskill, from their games at rated tables; levels as measured. */
export interface Ratings {
  game: string
  people: Rating[]
  levels: Anchor[]
}

/** `cid` is None where the message had none, or could not be read. */
export interface Refused {
  type: 'refused'
  cid: string | null
  code: Code
}

/** A finished deal, step by step, from the view of `seat`, or with all cards open. `mine`: where the caller sat. */
export interface Replay {
  table: string
  deal: number
  game: string
  options: Record<string, unknown>
  series: Series | null
  seats: SeatInfo[]
  seat: number | null
  mine: number | null
  steps: Step[]
  payoffs: number[]
  winners: number[]
  resigned: number | null
  open: boolean
  named: NamedDeal | null
  finished: number
}

/** What an agent thinks of a decision, from the view of the seat to act alone; first comes what it would play.
 *
 * `beliefs`: seat -> card -> how likely the seat holds such a card; None where no hand is hidden. `colours`: the same
 * of the colours of Uno, w is wild. `reason` is a sentence, empty where nothing stands out; `why` and `unit` have the
 * parts of it and of `worth` and `cost`. Later reports have more `iterations`, until one is `done`. */
export interface Report {
  sees: 'own view'
  seat: number
  best: number
  summary: string
  actions: Opinion[]
  reason: string
  why: Why | null
  unit: Unit
  beliefs: Record<string, Record<string, number>> | null
  colours: Record<string, Record<string, number>> | null
  iterations: number | null
  caveats: string[]
  done: boolean
}

/** Of a person at a named deal. None where it is not over, or where the caller has not played it. */
export interface Result {
  person: Person
  table: string | null
  payoff: number | null
  over: boolean
  first: boolean
  at: number
}

/** Asks for welcome, people and view again. */
export interface Resync {
  type: 'resync'
}

/** A way to look at a decision: what the move played gets less than `best`, and its standard error; `fine` are the
 * moves that are not bad by this measure. */
export interface ReviewColumn {
  best: string
  best_action: number
  says: string
  loss: number
  error: number | null
  worlds: number | null
  value: number | null
  chance: number | null
  exact: boolean
  bad: boolean
  fine: number[]
}

/** How far it has come: so many of so many decisions. `failed`: this game cannot be judged. */
export interface ReviewState {
  done: number
  of: number
  failed: boolean
  review: SeatReview | null
}

export interface Said {
  type: 'said'
  n: number
  seat: number | null
  person: string
  name: string
  phrase: string
}

/** One of `Welcome.phrases`. */
export interface Say {
  type: 'say'
  cid: string
  phrase: string
}

/** A seat of the running deal, which every message numbers the same. */
export interface SeatInfo {
  seat: number
  kind: 'person' | 'bot' | 'open'
  name: string
  picture: number | null
  person: string | null
  level: string | null
  here: boolean
  bot_plays: boolean
  ready: boolean
  agrees: boolean
  points: number
  team: number
}

/** The decisions of a seat; `moments`: the moves that are worth another look, by what they cost. */
export interface SeatReview {
  seat: number
  decisions: Decision[]
  moments: number[]
  forced: number
  given_away: number
  given_away_error: number
  chances: number[][]
}

/** What a client wants of the seats.
 *
 * take: sit down on `seat`, open or a bot's · leave: stand up, for good · resign: give up the deal (two sides only) ·
 * begin: the host fills open seats with bots and deals · next: ready for the next deal, or for a rematch ·
 * put: the host puts a bot of `level` on `seat` · free: the host opens a bot's `seat` (both before the first deal) ·
 * agree, disagree: to thoughts for everybody at a teaching table. */
export interface SeatWish {
  type: 'seat'
  cid: string
  want: 'take' | 'leave' | 'resign' | 'begin' | 'next' | 'put' | 'free' | 'agree' | 'disagree'
  seat?: number | null
  level?: string | null
}

/** Deals to a number of points. */
export interface Series {
  to: number
}

/** Everybody may look at it now. */
export interface Shared {
  table: string
  deal: number
}

/** The problems of a game, easy ones first. */
export interface Shelf {
  game: string
  problems: Spine[]
}

/** As in the message `seat` of the table's socket. */
export interface Sit {
  want: 'take' | 'leave' | 'resign' | 'begin' | 'next' | 'put' | 'free' | 'agree' | 'disagree'
  seat?: number | null
  level?: string | null
}

/** What can be said of a problem before it is solved: `difficulty` is 1 to 3. */
export interface Spine {
  id: string
  difficulty: number
}

/** The position after so many moves; `move` led to it. `choices` of the seat whose view it is, if it is to act. */
export interface Step {
  to_act: number | null
  move: Move | null
  by: string | null
  position: Record<string, unknown> | null
  text: string
  choices: Choice[]
}

/** What anybody with the link, or in the lobby, may know. */
export interface TableInfo {
  id: string
  game: string
  options: Record<string, unknown>
  players: number
  series: Series | null
  clock_s: number | null
  public: boolean
  watching: boolean
  mode: 'casual' | 'teaching' | 'rated' | 'practice'
  thoughts: boolean
  status: 'waiting' | 'playing' | 'over' | 'closed'
  deal: number
  seats: SeatInfo[]
  watchers: number
  created: number
  named: NamedDeal | null
}

/** Asks for thoughts about the client's own decision, which come until its turn is over; `on` false ends them. */
export interface Think {
  type: 'think'
  cid: string
  on?: boolean
}

/** A report about the client's own decision, as far as it has come. */
export interface Thought {
  type: 'thought'
  deal: number
  turn: number
  report: Report
}

/** What payoffs of a game mean. wins: a loser gets `lost`, a winner `won` (`draws`: there are draws, which count
 * half); points; lead: points more than the other side. `word` false: figures that are no points. */
export interface Unit {
  kind: 'wins' | 'points' | 'lead'
  lost: number
  won: number
  draws: boolean
  signed: boolean
  decimals: number
  word: boolean
}

/** All that the client may know of the running deal.
 *
 * `position` is the game's own JSON (its README describes it), None for a game that has no positions; `text` is the
 * view in words. `choices` is empty unless the client's seat is to act. `history` has every move that the client may
 * know of when the cause is sync or deal; otherwise it is None, and `cause` has the one that is new. `hash` is the
 * commitment to the deal: SHA-256 of what `over` opens. */
export interface View {
  type: 'view'
  n: number
  deal: number
  turn: number
  hash: string
  seat: number
  to_act: number | null
  cause: Cause
  position: Record<string, unknown> | null
  text: string
  choices: Choice[]
  history: Move[] | null
  clock: Clock | null
}

/** The answer to hello and resync; also when the client's seat has changed. */
export interface Welcome {
  type: 'welcome'
  version: number
  you: You
  table: TableInfo
  phrases: string[]
}

/** A reason in its parts; `says` is the sentence. `fact` (card, no_suit, no_colour, wild, pair, bomb, rocket) is so
 * for `seat` in `share` of the worlds; `best` then gains `then` on `rival`, otherwise `otherwise`. follow: the seat
 * with `cards` left cannot follow `best` in `share` of the worlds, and `rival` in `then`. */
export interface Why {
  says: string
  fact: string
  seat: number
  what: string
  share: number
  best: string
  rival: string
  then: number
  otherwise: number
  cards: number
}

/** What the server takes the client for. `token` is the seat's own: it opens the seat on another device. */
export interface You {
  person: string | null
  seat: number | null
  host: boolean
  token: string | null
}

export type ClientMessage = Act | Hello | Ping | Resync | Say | SeatWish | Think

export type ServerMessage = Ack | Over | People | Pong | Refused | Said | Thought | View | Welcome
