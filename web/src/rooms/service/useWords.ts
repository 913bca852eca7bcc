import { useSpeech } from "../../i18n";
import { serviceWords, type ServiceWords } from "./words";

export const useServiceWords = (): ServiceWords => serviceWords[useSpeech().lang];
