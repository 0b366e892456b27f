/** The worker that reads the objects of a store: thousands of names must not block the page. */
import { openStoreUrl, type StoredModel } from '@impinge/model';
import { type AskedQuestion, reply } from '../worker-questions.js';
import type { ObjectQuestion } from './object-columns.js';
import { ObjectSearch } from './object-search.js';
import { readColumns, readDetails } from './read-columns.js';

let model: StoredModel;
let search: ObjectSearch;

const ANSWERS: Readonly<Record<ObjectQuestion, (asked: never) => unknown>> = {
  open: async (url: string) => {
    model = await openStoreUrl(url);
    search = new ObjectSearch(model);
    return readColumns(model);
  },
  details: (object: number) => readDetails(model, object),
  search: (text: string) => search.find(text),
};

addEventListener('message', ({ data }: MessageEvent<AskedQuestion>) =>
  reply(data, (question: ObjectQuestion, asked: never) => ANSWERS[question](asked), postMessage),
);
