// A search that forgives: accents, case, the order of words, their ends, and one slip in a word of four letters or more.
const SHORTEST_WITH_A_SLIP = 4;

const WHOLE_LETTERS = { œ: "oe", æ: "ae", ł: "l", đ: "d", ø: "o", ı: "i" };

function splitWords(text) {
  const bare = text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/[œæłđøı]/g, (letter) => WHOLE_LETTERS[letter]);
  return bare.match(/[\p{L}\p{N}]+/gu) || [];
}

// Whether the word begins with what is wanted, but for one letter that is wrong, missing, too many or exchanged.
function beginsNearly(word, wanted) {
  if (wanted.length < SHORTEST_WITH_A_SLIP) return false;
  let same = 0;
  while (same < wanted.length && word[same] === wanted[same]) same += 1;
  const goesOn = (from, at) => word.startsWith(wanted.slice(from), at);
  const isExchanged = wanted[same] === word[same + 1] && wanted[same + 1] === word[same];
  return goesOn(same + 1, same + 1) || goesOn(same, same + 1) || goesOn(same + 1, same) || (isExchanged && goesOn(same + 2, same + 2));
}

// The rows that have every wanted word; those that nearly have them, when there is none.
function findRows(rows, wanted) {
  const having = (isLike) => rows.filter((row) => wanted.every((one) => row.words.some((word) => isLike(word, one))));
  const found = having((word, one) => word.startsWith(one));
  return new Set(found.length ? found : having((word, one) => word.startsWith(one) || beginsNearly(word, one)));
}
